// Files of hands: those that the server lists, one that is chosen here, one that is dragged onto the page.
import { answerOf, byId, contentOf, element, getJson } from "../widgets/cards.js";

const LARGEST = 5_000_000; // bytes; the server refuses more
let brought = []; // files of this visit: { file, name }

// Fills the choice of files; the names that it offers.
export async function listFiles() {
  const listed = await getJson("/data/histories");
  const choices = listed.histories.filter((one) => one.hands || one.name === listed.session).map((one) => choice(one.name, words(one, listed.session)));
  byId("file").replaceChildren(...brought.map((one) => choice(one.file, `${one.name} (yours)`)), ...choices);
  return listed.histories.filter((one) => one.hands).map((one) => one.name);
}

// Marks a file as the open one; one that was brought before the page was loaded again is not in the list yet.
export function chooseFile(name, words) {
  if (![...byId("file").options].some((option) => option.value === name)) byId("file").prepend(choice(name, `${words} (yours)`));
  byId("file").value = name;
}

function choice(value, text) {
  const option = element("option", "", text);
  option.value = value;
  return option;
}

function words(one, session) {
  const hands = `${one.hands.toLocaleString("en-US")} ${one.hands === 1 ? "hand" : "hands"}`;
  const size = one.bytes < 1e6 ? `${Math.max(1, Math.round(one.bytes / 1e3))} kB` : `${(one.bytes / 1e6).toFixed(1)} MB`;
  const when = new Date(one.changed).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return one.name === session ? `this server's hands, ${hands}, ${when}` : `${one.name}, ${hands}, ${when}, ${size}`;
}

// Sends a file to the server, which keeps it for a while; the name to open it by.
export async function bring(file) {
  if (!/\.phhs?$/i.test(file.name)) throw new Error(`${file.name} is not a hand history by its name; give a .phh or .phhs file`);
  if (file.size > LARGEST) throw new Error(`${file.name} is larger than ${LARGEST / 1e6} MB; split it`);
  const content = await contentOf(await answerOf(`/data/histories?name=${encodeURIComponent(file.name.slice(-200))}`, { method: "POST", body: file }));
  brought = [content, ...brought];
  return content.file;
}

// A file may be dropped anywhere; `take(file)` gets it.
export function takeDrops(take) {
  const drop = byId("drop");
  let inside = 0; // elements that the pointer has entered and not left
  const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const show = (change) => {
    inside = Math.max(0, inside + change);
    drop.hidden = !inside;
  };
  addEventListener("dragenter", (event) => isFile(event) && show(1));
  addEventListener("dragleave", (event) => isFile(event) && show(-1));
  addEventListener("dragover", (event) => isFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    show(-inside);
    if (event.dataTransfer.files.length) take(event.dataTransfer.files[0]);
  });
}
