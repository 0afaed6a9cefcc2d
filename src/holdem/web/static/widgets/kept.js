// What a page keeps in the browser, under a version: what another version kept is left alone. A page that is loaded again
// finds what it kept itself; a new one begins with what any of them kept last.
import { ofBrowser, ofVisit } from "./storage.js";

export const readKept = (name, version) => readFrom(ofVisit, name, version) ?? readFrom(ofBrowser, name, version);

function readFrom(storage, name, version) {
  try {
    const kept = JSON.parse(storage.get(name));
    return kept?.version === version ? kept : null;
  } catch {
    return null;
  }
}

export function keep(name, version, content) {
  for (const storage of [ofVisit, ofBrowser]) storage.set(name, JSON.stringify({ version, ...content }));
}
