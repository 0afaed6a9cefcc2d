// Two runs at one line: both grids, what differs between them class by class, and one figure for all of it.
import { stopAt, useArrowKeys } from "../widgets/arrow_keys.js";
import { byId, element, percent, signed } from "../widgets/cards.js";
import { drawGrid } from "../widgets/grid.js";
import { mixView } from "../widgets/mix.js";
import { paintCell, strategyLook, unvisitedLook } from "./looks.js";
import { actionTable, key, row, table } from "./tables.js";

const BOLDER = "224, 90, 90"; // raises more or folds less, as raises and folds are coloured
const SHIER = "91, 141, 239";
const OTHER_SIZE = "230, 170, 50";
const STRONGEST = 0.5; // a distance that has the full colour
const points = (change) => `${signed(Math.round(100 * change) || 0)} %`;

export class CompareView {
  constructor() {
    this.chosen = null;
  }

  show(found, one, other, alike) {
    Object.assign(this, { ...found, one, other, alike });
    if (!this.here.classes[this.chosen]) this.chosen = this.difference.most[0] ?? Object.keys(this.here.classes)[0];
    this.detail = element("div");
    this.detail.setAttribute("aria-live", "polite");
    const panels = [
      this.gridPanel(one, strategyLook({ place: this.here }), this.here.classes, "grid-here"),
      this.gridPanel(other, strategyLook({ place: this.there }), this.there.classes, "grid-there"),
      this.gridPanel("Difference", this.differenceLook(), { ...this.difference.classes, ...this.guesses() }, "grid-difference"),
      element("section", "panel wide columns", this.totals(), this.list(), this.detail),
    ];
    byId("compare").replaceChildren(...panels);
    this.choose(this.chosen);
  }

  gridPanel(title, look, classes, id) {
    const grid = element("div");
    grid.id = id;
    drawGrid(grid, (cell, name) => paintCell(cell, name, classes[name], look, () => this.choose(name)));
    grid.classList.add("weighed");
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", `${title}: arrow keys move, Enter chooses a class`);
    useArrowKeys(grid, 13);
    const panel = element("section", "panel grid-panel", element("h2", "", title), grid, element("p", "note", look.legend));
    return panel;
  }

  // Classes that training never came with in one run or the other: nothing is known of their difference.
  guesses() {
    return Object.fromEntries(Object.entries(this.difference.unvisited).map(([name, weight]) => [name, { weight, unvisited: true }]));
  }

  differenceLook() {
    const most = Math.max(...Object.values({ ...this.difference.classes, ...this.guesses() }).map((found) => found.weight)) || 1;
    const look = (found) => {
      if (found.unvisited) return unvisitedLook(found.weight > most / 500 ? 1 : 0, " of one run or the other");
      const strength = Math.min(found.distance / STRONGEST, 1);
      const hue = Math.abs(found.bolder) < found.distance / 2 ? OTHER_SIZE : found.bolder > 0 ? BOLDER : SHIER;
      const colour = `rgba(${hue}, ${strength.toFixed(3)})`;
      const words = found.distance < 0.005 ? "" : points(found.changes[found.largest]).replace(" %", "");
      return { fill: `linear-gradient(${colour}, ${colour})`, height: found.weight > most / 500 ? 1 : 0, words, title: this.changeWords(found) };
    };
    const legend = `The largest change of a class in ${this.other}, in per cent; red: raises more or folds less, blue: the other way, yellow: other sizes${Object.keys(this.difference.unvisited).length ? ", grey: never visited in training of one or the other" : ""}.`;
    return Object.assign(look, { legend });
  }

  changeWords(found) {
    const changes = this.difference.actions
      .map(({ action }, at) => [action, found.changes[at]])
      .filter(([, change]) => Math.abs(change) >= 0.005)
      .map(([action, change]) => `${action} ${points(change)}`);
    return changes.join(", ") || "no change";
  }

  totals() {
    const { actions, changes, distance, left_out: guessed } = this.difference;
    const share = (place, action) => (action in place.frequencies ? percent(place.frequencies[action], 1) : "–");
    const rows = actions.map(({ action, only }, at) => {
      const where = { here: ` (only ${this.one})`, there: ` (only ${this.other})` }[only] ?? "";
      return row("td", [key(this.colour(action), action + where), share(this.here, action), share(this.there, action), points(changes[at])]);
    });
    const figure = element("p", "figure", "Mean distance ", element("b", "number", distance === null ? "–" : distance.toFixed(3)));
    const without = guessed > 0 ? ` Hands that one run or the other never met in training, ${percent(guessed, guessed < 0.001 ? 4 : 1)} by weight, are left out.` : "";
    const words = this.alike ? "every hand alike" : "hands weighed by how they get here in either run";
    figure.id = "distance";
    return element("div", "", element("h2", "", "All hands"), figure, element("p", "note", `0: the same, 1: nothing in common; ${words}.${without}`), table(["action", "this run", "the other", "change"], rows));
  }

  colour(action) {
    const place = this.here.actions.includes(action) ? this.here : this.there;
    return place.colours[place.actions.indexOf(action)];
  }

  list() {
    const rows = this.difference.most.map((name) => {
      const found = this.difference.classes[name];
      const link = element("button", "link", name);
      link.type = "button";
      link.onclick = () => this.choose(name);
      return row("td", [link, percent(found.weight, 1), found.distance.toFixed(2), this.changeWords(found)]);
    });
    const nothing = rows.length ? [] : [element("p", "note", "Nothing differs here.")];
    const view = element("div", "most", element("h2", "", "What differs most"), ...nothing);
    if (rows.length) view.append(table(["class", "of the range", "distance", "change"], rows));
    return view;
  }

  choose(name) {
    this.chosen = name;
    for (const grid of byId("compare").querySelectorAll(".grid")) {
      for (const cell of grid.children) {
        cell.classList.toggle("chosen", cell.dataset.name === name);
        cell.setAttribute("aria-pressed", cell.dataset.name === name);
      }
      stopAt(grid, grid.querySelector(".chosen"));
    }
    const parts = [[this.one, this.here], [this.other, this.there]].flatMap(([title, place]) => classParts(title, place, name));
    this.detail.replaceChildren(element("h2", "", name), ...parts);
  }
}

function classParts(title, place, name) {
  const found = place.classes[name];
  if (!found) return [element("p", "note", `${title}: cannot be held`)];
  const shares = place.actions.map((action) => found.probabilities[action]);
  const reach = place.weighed ? `, ${percent(found.reach, 1)} of it gets here` : "";
  return [element("p", "note", title + reach), mixView(shares, place.actions, place.colours), actionTable(place, shares)];
}
