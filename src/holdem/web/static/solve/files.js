// Save, open, CSV and copy; files can be dragged onto the page.
import { answerOf, byId, contentOf } from "../widgets/cards.js";
import { MORE } from "./spot_form.js";

const MOST_JSON = 1_000_000; // bytes of a spot file
const NEEDED = ["board", "pot", "effective_stack", "range_oop", "range_ip"];
const ROUNDED = "the weights of this file have more digits than are kept here: the ranges are near those that were solved, and not the same";
const TOLD = ["street", "combos", "reference", "speed_of_the_best_open_solver", "description"]; // fields that need no reading

export function useFiles({ connection, form, tried, say, room, isBusy, alone, cancellable, newest, opened, solvedIs }) {
  const download = async (type, content) => {
    const { address, name } = await connection.ask(type, content);
    const link = document.createElement("a");
    Object.assign(link, { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
  };

  const open = tried(async (file) => {
    if (file.name.toLowerCase().endsWith(".json")) {
      const { spot, others } = await readSpot(file);
      newest();
      await form.load(spot);
      return others ? say(`the first of ${others + 1} spots in ${file.name}; the others are left out`) : undefined;
    }
    if (!file.name.toLowerCase().endsWith(".solve")) throw new Error(`${file.name} is neither a .solve file nor a .json spot`);
    if (isBusy()) throw new Error("a solve is running; stop it, then open the file");
    say(`reading ${file.name}…`);
    const { spot } = await alone(async () => {
      const { upload } = await contentOf(await answerOf("/data/solve/upload", { method: "POST", body: file }));
      return cancellable(connection.ask("open", { upload }));
    });
    newest();
    opened(); // at once: what the server says of its end comes next
    await form.load(spot);
    const finer = form.finerRanges(spot);
    solvedIs({ ...(await form.spot()), ...finer });
    if (Object.keys(finer).length) say(ROUNDED);
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
  const spots = Array.isArray(content?.spots) ? content.spots : [content];
  const [spot] = spots;
  for (const key of NEEDED) {
    if (!spot?.[key]) throw new Error(`the spot in ${file.name} has no ${key}`);
  }
  const strange = Object.keys(spot).find((key) => ![...NEEDED, ...MORE, ...TOLD, "bet_sizes", "locks"].includes(key));
  if (strange !== undefined) throw new Error(`'${strange}' is not a field of a spot, and what is not known here would not be solved`);
  return { spot, others: spots.length - 1 };
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
