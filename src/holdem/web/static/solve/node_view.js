// One decision of a solve: the grid, and beside it actions, the hands of a class, made hands, all hands, locks.
import { stopAt, useArrowKeys } from "../widgets/arrow_keys.js";
import { byId, element, percent } from "../widgets/cards.js";
import { drawGrid, stripes } from "../widgets/grid.js";
import { drawSwitch } from "../widgets/switch.js";
import { classDetail, compositionDetail, evWords, handsDetail, hasStrategy, isKnown, shareWords } from "./node_details.js";
import { lockDetail } from "./lock_detail.js";
import { showLocks } from "./locks.js";

const NAMES = { oop: "OOP", ip: "IP" };
const COLOURS = { oop: "#5aa2ee", ip: "#eda847" }; // those of the painters
const MODES = { strategy: "Strategy", ev: "EV", equity: "Equity", weight: "Range", opponent: "Opponent" };
const LEAST_SHOWN = 0.0005; // of a class: less is shown as 0.0 %, and another one is chosen
const TABS = { hand: "Hands of a class", composition: "Made hands", all: "All hands", lock: "Lock" };

export class NodeView {
  // `form` has the locks; `solveWithLock(versions)` solves again with one more, in the finest version that fits.
  constructor(form, solveWithLock) {
    this.form = form;
    this.locks = element("div");
    this.solveWithLock = solveWithLock;
    this.mode = "strategy";
    this.tab = "hand";
    this.chosen = null;
    useArrowKeys(byId("grid"), 13);
  }

  // Nothing is known yet: an empty grid keeps the place.
  clear() {
    byId("steps").replaceChildren();
    byId("turn").textContent = "";
    byId("details").hidden = true;
    drawGrid(byId("grid"), (cell) => {
      cell.classList.add("absent");
      cell.disabled = true;
    });
    byId("grid").classList.add("solved");
    this.setIdle(true);
  }

  // Where nobody decides, the last grid and its details are out of sight, and the chart is beside.
  setIdle(idle) {
    for (const id of ["node", "details"]) byId(id).classList.toggle("idle", idle);
  }

  show(node) {
    this.node = node;
    this.setIdle(node.kind !== "decision");
    if (node.kind !== "decision") return void (byId("turn").textContent = node.kind === "deal" && node.cards.length ? "Choose the next card above." : node.words);
    byId("details").hidden = false;
    if (!(node.classes[this.chosen]?.weight >= LEAST_SHOWN)) this.chosen = heaviest(node.classes);
    const at = node.player === "oop" ? 0 : 1;
    const worth = node.reached ? [`EV ${evWords(node.ev[at])} chips`, `equity ${shareWords(node.equity[at])}`] : [`never reached${node.locked ? "" : ": no strategy"}`];
    const figures = [...worth, ...(node.locked ? ["locked"] : [])];
    byId("turn").textContent = `${NAMES[node.player]} to act · ${figures.join(" · ")}`;
    this.drawCells();
    this.drawDetail();
  }

  drawCells() {
    drawSwitch(byId("modes"), MODES, this.mode, (mode) => {
      this.mode = mode;
      this.drawCells();
      byId("modes").querySelector("[aria-pressed=true]").focus();
    });
    const scale = scaleOf(this.node, this.mode);
    drawGrid(byId("grid"), (cell, name) => this.paintCell(cell, name, scale));
    byId("grid").classList.add("solved");
    stopAt(byId("grid"), byId("grid").querySelector(".chosen"));
    byId("legend").textContent = LEGENDS[this.mode](this.node);
  }

  paintCell(cell, name, scale) {
    const found = this.node.classes[name];
    const look = scale(found, name);
    cell.type = "button";
    cell.classList.toggle("absent", !look);
    setChosen(cell, name === this.chosen && !!found);
    cell.disabled = !found;
    cell.onclick = () => this.choose(name);
    if (!look) return;
    cell.style.setProperty("--fill", look.fill);
    cell.style.setProperty("--height", `${100 * look.height}%`);
    if (look.words) cell.append(element("small", "", look.words));
    cell.title = `${name}: ${look.title}`;
    cell.setAttribute("aria-label", cell.title);
  }

  choose(name) {
    this.chosen = name;
    for (const cell of byId("grid").children) setChosen(cell, cell.dataset.name === name);
    if (this.tab !== "hand") this.tab = "hand";
    this.drawDetail();
  }

  showLocks() {
    showLocks(this.locks, this.form);
  }

  drawDetail() {
    drawSwitch(byId("tabs"), TABS, this.tab, (tab) => {
      this.tab = tab;
      this.drawDetail();
      byId("tabs").querySelector("[aria-pressed=true]").focus();
    });
    const views = {
      hand: () => classDetail(this.node, this.chosen),
      composition: () => compositionDetail(this.node),
      all: () => handsDetail(this.node),
      lock: () => [...lockDetail(this.node, this.solveWithLock), this.locks],
    };
    byId("detail").setAttribute("aria-live", this.tab === "hand" ? "polite" : "off"); // the other views are long tables
    byId("detail").replaceChildren(...views[this.tab]());
  }
}

function setChosen(cell, chosen) {
  cell.classList.toggle("chosen", chosen);
  cell.setAttribute("aria-pressed", chosen);
}

function heaviest(classes) {
  return Object.keys(classes).reduce((best, name) => (best && mass(classes[best]) >= mass(classes[name]) ? best : name), null);
}
const mass = (found) => found.weight * found.combos;

// How a class looks in a mode: its fill, its height, a short word and a title; null where there is nothing.
function scaleOf(node, mode) {
  const known = Object.values(node.classes).filter((found) => found.weight > 0);
  const colours = node.actions.map((action) => action.colour);
  const heat = (key) => {
    const values = known.map((found) => found[key]).filter((value) => value !== null);
    const [low, high] = key === "equity" ? [0, 1] : [Math.min(...values), Math.max(...values)];
    return (value) => plainFill(`hsl(${Math.round((120 * (value - low)) / (high - low || 1))} 62% 62%)`);
  };
  const plain = (key, words) => {
    const colour = heat(key);
    return (found) => here(found) && found[key] !== null && { fill: colour(found[key]), height: found.weight, words: words(found[key]), title: words(found[key]) };
  };
  const here = (found) => found && found.weight > 0;
  const weight = (value, colour) => value > 0 && { fill: plainFill(colour), height: value, words: value > 0.995 ? "" : percent(value), title: percent(value, 1) };
  return {
    strategy: (found) => here(found) && isKnown(found.shares) && {
      fill: stripes(found.shares, colours), height: found.weight, words: bestWords(found.shares),
      title: `${node.actions.map((action, at) => `${action.words} ${percent(found.shares[at], 1)}`).join(", ")}; ${percent(found.weight, 1)} of it gets here`,
    },
    ev: plain("ev", (value) => value.toFixed(Math.abs(value) < 10 ? 1 : 0)),
    equity: plain("equity", (value) => percent(value)),
    weight: (found) => weight(found?.weight ?? 0, COLOURS[node.player]),
    opponent: (_, name) => weight(node.opponent[name] ?? 0, COLOURS[node.player === "oop" ? "ip" : "oop"]),
  }[mode];
}

const plainFill = (colour) => `linear-gradient(${colour}, ${colour})`;

function bestWords(shares) {
  const best = Math.max(...shares);
  return best > 0.995 ? "" : percent(best);
}

const rangeLegend = (player) => `How much of each class of ${NAMES[player]} gets here; the most likely hand that was painted counts as 100 %.`;

const LEGENDS = {
  strategy: (node) => (hasStrategy(node) ? "Width: frequency of each action. Height: how much of the class gets here." : "Nobody comes here, so nothing was solved here; a lock can say what is done."),
  ev: () => "EV in chips: expected from the pot, less what is put in from the root on.",
  equity: () => "Equity against the other range as it gets here, without further betting.",
  weight: (node) => rangeLegend(node.player),
  opponent: (node) => rangeLegend(node.player === "oop" ? "ip" : "oop"),
};
