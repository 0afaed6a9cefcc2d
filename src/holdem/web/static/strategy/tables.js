// Actions in a table: how often, and where it is known what they are worth.
import { element, percent } from "../widgets/cards.js";
import { evWords } from "./looks.js";

export function row(tag, cells) {
  return element("tr", "", ...cells.map((cell) => {
    const made = element(tag, "", cell);
    if (tag === "th") made.scope = "col";
    return made;
  }));
}

export function table(head, rows, className = "") {
  return element("table", `table ${className}`, element("thead", "", row("th", head)), element("tbody", "", ...rows));
}

export function key(colour, words) {
  const patch = element("i");
  patch.style.background = colour;
  return element("span", "key", patch, words);
}

// `worth` has the EVs of a class; an action without one is not taken often enough to know.
export function actionTable(place, shares, worth = null) {
  const rows = place.actions.map((action, at) => {
    const cells = [key(place.colours[at], action), percent(shares[at], 1)];
    if (worth) cells.push(worth.evs[at] === null ? missing() : evWords(worth.evs[at], worth.errors[at]));
    return row("td", cells);
  });
  return table(["action", "how often", ...(worth ? ["EV"] : [])], rows, "actions");
}

function missing() {
  const made = element("small", "", "hardly taken");
  made.title = "taken so seldom that nothing trained stands behind it";
  return made;
}
