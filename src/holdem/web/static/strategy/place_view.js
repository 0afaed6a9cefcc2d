// One decision: the grid in one of its modes, beside it what all hands and those of a class do.
import { stopAt, useArrowKeys } from "../widgets/arrow_keys.js";
import { byId, cardWords, element, getJson, percent, splitCards } from "../widgets/cards.js";
import { drawGrid } from "../widgets/grid.js";
import { mixView } from "../widgets/mix.js";
import { drawSwitch } from "../widgets/switch.js";
import { evWords, givenUpWords, lookOf, paintCell } from "./looks.js";
import { drawRanges } from "./range_panel.js";
import { actionTable } from "./tables.js";

const GRID = "classes of hands: arrow keys move, Enter chooses";
const LEAST_GIVEN_UP = 0.005; // of the unit: less is shown as 0.00
const LEAST_SHOWN = 0.0005; // of a class: less is shown as 0.0 %, and another one is chosen

export class PlaceView {
  constructor() {
    this.mode = "strategy";
    this.chosen = null;
    useArrowKeys(byId("grid"), 13);
  }

  show(place, policy, alike) {
    Object.assign(this, { place, policy, alike, values: null, ranges: null, waiting: false, refusals: {} });
    if (!this.modes()[this.mode]) this.mode = "strategy";
    if (!place.classes[this.chosen] || (place.weighed && place.classes[this.chosen].reach < LEAST_SHOWN)) this.chosen = firstClass(place);
    byId("turn").textContent = place.turn;
    byId("grid").setAttribute("aria-label", GRID);
    byId("shares").hidden = false;
    byId("unvisited").textContent = place.unvisited ? `grey: never visited in training (${place.unvisited} hands), so nothing is known of them` : "";
    byId("weighing").textContent = this.weighing();
    this.loadRanges();
    if (this.mode === "ev") this.loadValues();
    this.draw();
  }

  // Another view takes over: what is still asked for this place is not waited for and not shown any more.
  leave() {
    this.place = null;
    this.values = null;
    this.waiting = false;
    this.drawWaiting();
    this.drawGivenUp();
  }

  modes() {
    const ranges = this.place.players.map((player) => [`range ${player.position}`, `${player.position}'s range`]);
    return { strategy: "Strategy", ...Object.fromEntries(ranges), equity: "Equity", ev: "EV" };
  }

  weighing() {
    const { place, alike } = this;
    if (alike) return "Each hand that can be held counts the same, whatever the betting before.";
    if (!place.comes_here) return "The policy never plays this line, so each hand that can be held counts the same.";
    return `Each hand counts by how it gets here; ${place.position} has ${percent(place.reach, 1)} of its hands left.`;
  }

  async loadRanges() {
    const { place } = this;
    const found = await this.ask("ranges");
    if (this.place !== place) return undefined;
    if (!found) return this.drawLegend();
    this.ranges = found;
    byId("ranges").hidden = false;
    drawRanges(place, found);
    return this.draw();
  }

  async loadValues() {
    const { place } = this;
    this.waiting = true;
    const found = await this.ask("values");
    if (this.place !== place) return;
    this.waiting = false;
    this.values = found;
    this.draw();
  }

  // What the server has to say of this place; its refusal is the legend of what cannot be shown.
  async ask(what) {
    const { place } = this;
    delete this.refusals[what];
    try {
      return await getJson(`/data/${what}?${new URLSearchParams({ policy: this.policy, line: place.line })}`);
    } catch (error) {
      if (this.place === place) this.refusals[what] = error.message;
      return null;
    }
  }

  draw() {
    drawSwitch(byId("modes"), this.modes(), this.mode, (mode) => {
      this.mode = mode;
      if (mode === "ev" && !this.values && !this.waiting) this.loadValues();
      if (mode === "equity" && this.refusals.ranges) this.loadRanges();
      this.draw();
      byId("modes").querySelector("[aria-pressed=true]").focus();
    });
    const look = lookOf(this.computes ? "strategy" : this.mode, this);
    const focused = byId("grid").contains(document.activeElement);
    drawGrid(byId("grid"), (cell, name) => paintCell(cell, name, this.place.classes[name], look, () => this.choose(name)));
    byId("grid").classList.add("weighed");
    this.mark();
    if (focused) byId("grid").querySelector(".chosen").focus();
    this.drawLegend();
    this.drawBeside();
  }

  // Whether the grid waits for EVs; until they are there it shows the strategy, pale.
  get computes() {
    return this.mode === "ev" && this.waiting;
  }

  drawWaiting() {
    byId("computing").textContent = this.computes ? "playing the policy against itself…" : "";
    byId("computing").classList.toggle("waiting", this.computes);
    byId("grid").setAttribute("aria-busy", this.computes);
  }

  drawLegend() {
    this.drawWaiting();
    const refusal = this.refusals[{ ev: "values", equity: "ranges" }[this.mode]];
    byId("legend").textContent = this.computes ? "" : refusal ?? lookOf(this.mode, this).legend;
  }

  choose(name) {
    this.chosen = name;
    this.mark();
    this.drawBeside();
  }

  mark() {
    for (const cell of byId("grid").children) {
      cell.classList.toggle("chosen", cell.dataset.name === this.chosen);
      cell.setAttribute("aria-pressed", cell.dataset.name === this.chosen);
    }
    stopAt(byId("grid"), byId("grid").querySelector(".chosen"));
  }

  drawBeside() {
    const { place, values } = this;
    const shares = place.actions.map((action) => place.frequencies[action]);
    const total = values ? [element("p", "note", this.totalWords())] : [];
    this.drawGivenUp();
    byId("totals").replaceChildren(mixView(shares, place.actions, place.colours), actionTable(place, shares), ...total);
    byId("hands").replaceChildren(...this.classParts(this.chosen));
  }

  // Beside the head of the EVs: how far the policy is from the best answers to itself.
  drawGivenUp() {
    const { given_up: lost, unit } = this.values ?? {};
    const shown = this.mode === "ev" && lost >= LEAST_GIVEN_UP;
    byId("given-up").textContent = shown ? `gives up ${lost.toFixed(2)} ${unit}` : "";
    byId("given-up").title = shown ? capital(givenUpWords(lost, unit)) : "";
  }

  // Frequencies may be of every hand alike; an EV is always one of the range.
  totalWords() {
    const { ev, error, unit, left_out: share, given_up: lost } = this.values;
    const weighed = this.alike ? ", hands weighed by how they get here" : "";
    const without = share > 0 ? ` Hands that training never came with, ${percent(share, share < 0.001 ? 4 : 1)} of the range, are left out.` : "";
    const given = lost >= LEAST_GIVEN_UP ? ` ${capital(givenUpWords(lost, unit))}. Classes of which that is clear are counted.` : "";
    return `EV of the range${weighed}: ${evWords(ev, error)} ${unit}.${given}${without}`;
  }

  classParts(name) {
    const { place } = this;
    const found = place.classes[name];
    const worth = this.values?.classes[name];
    const head = [element("h2", "", `${name}, ${found.hands} hand${found.hands > 1 ? "s" : ""}`)];
    const equity = this.ranges?.players.find((player) => player.acting)?.classes[name];
    const figures = [
      place.weighed && `${percent(found.reach, 1)} of it gets here`,
      equity !== undefined && `equity ${percent(equity, 1)}`,
      worth && worth.ev !== null && `EV ${evWords(worth.ev, worth.error)} ${this.values.unit}`,
    ].filter(Boolean);
    if (figures.length) head.push(element("p", "note number", figures.join(" · ")));
    if (found.visited === 0) return [...head, element("p", "note", "training never came here with these hands: nothing is known")];
    const shares = place.actions.map((action) => found.probabilities[action]);
    const lost = worth?.given_up ?? null;
    const given = lost === null ? [] : [element("p", "note given-up", `${capital(givenUpWords(lost, this.values.unit))}.`)];
    return [...head, mixView(shares, place.actions, place.colours), actionTable(place, shares, worth), ...given, ...this.combos(name)];
  }

  combos(name) {
    const { actions, colours, hands, weighed } = this.place;
    return (hands?.[name] ?? []).map((hand) => {
      const words = element("span", "", ...cardWords(splitCards(hand.cards)));
      const mix = hand.visited ? mixView(hand.row, actions, colours, true) : element("span", "note", "never visited");
      return element("div", weighed && hand.reach < 0.005 ? "combo seldom" : "combo", words, mix, element("small", "", weighed ? percent(hand.reach) : ""));
    });
  }
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);

// A hand that everybody knows, or the one that gets here most.
function firstClass({ classes, weighed }) {
  if (classes.AKs && (!weighed || classes.AKs.reach > 0.01)) return "AKs";
  return Object.keys(classes).reduce((best, name) => ((classes[name].weight ?? 0) > (classes[best].weight ?? 0) ? name : best));
}
