// Save, open, CSV and copy; files can be dragged onto the page.
import { byId, contentOf } from "../widgets/cards.js";

const MOST_JSON = 1_000_000; // bytes of a spot file

export function useFiles({ connection, form, tried, say, room, isBusy, alone, opened, solvedIs }) {
  const download = async (type, content) => {
    const { address, name } = await connection.ask(type, content);
    const link = document.createElement("a");
    Object.assign(link, { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
  };

  const open = tried(async (file) => {
    if (file.name.toLowerCase().endsWith(".json")) return form.load(await readSpot(file));
    if (!file.name.toLowerCase().endsWith(".solve")) throw new Error(`${file.name} is neither a .solve file nor a .json spot`);
    if (isBusy()) throw new Error("a solve is running; stop it, then open the file");
    say(`reading ${file.name}…`);
    const { spot } = await alone(async () => {
      const { upload } = await contentOf(await fetch("/data/solve/upload", { method: "POST", body: file }));
      return connection.ask("open", { upload });
    });
    opened(); // at once: what the server says of its end comes next
    await form.load(spot);
    solvedIs(await form.spot());
  });

  byId("save").onclick = tried(() => download("save"));
  byId("csv").onclick = tried(() => download("csv", { path: room.path.join(", ") }));
  byId("copy").onclick = tried(async () => {
    await copyText(`${JSON.stringify(await form.spot(), null, 1)}\n`);
    say("the spot is in the clipboard, as holdem solve reads it");
  });
  byId("open").onclick = () => byId("file").click();
  byId("file").onchange = () => {
    const [file] = byId("file").files;
    byId("file").value = "";
    if (file) open(file);
  };
  document.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  for (const name of ["dragleave", "drop"]) document.addEventListener(name, () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    open(file);
  });
}

async function readSpot(file) {
  if (file.size > MOST_JSON) throw new Error(`${file.name} is too large for a spot`);
  let content = null;
  try {
    content = JSON.parse((await file.text()).replace(/^\ufeff/, ""));
  } catch {
    throw new Error(`${file.name} is not JSON; a spot is an object with board, pot and so on`);
  }
  const spot = Array.isArray(content?.spots) ? content.spots[0] : content;
  for (const key of ["board", "pot", "effective_stack", "range_oop", "range_ip"]) {
    if (!spot?.[key]) throw new Error(`the spot in ${file.name} has no ${key}`);
  }
  return spot;
}

// Pages that are not of this machine and have no TLS have no clipboard; there the old command serves.
async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
