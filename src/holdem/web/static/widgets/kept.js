// What a page keeps in the browser, under a version: what another version kept is left alone.
import { ofBrowser } from "./storage.js";

export function readKept(name, version) {
  try {
    const kept = JSON.parse(ofBrowser.get(name));
    return kept?.version === version ? kept : null;
  } catch {
    return null;
  }
}

export function keep(name, version, content) {
  ofBrowser.set(name, JSON.stringify({ version, ...content }));
}
