// A range that is being painted: a weight for each of the 1,326 hands, and the way back to what was painted before.

const SUITS = "shdc"; // the higher card first, as the server writes hands
const MOST_STEPS = 200;
const FINEST = 100_000; // weights are whole hundred-thousandths, as the server writes them
const found = new Map();

// The hands of a class: `combosOf("AKs")` is AsKs, AhKh, AdKd, AcKc.
export function combosOf(name) {
  if (!found.has(name)) found.set(name, listCombos(...name));
  return found.get(name);
}

function listCombos(high, low, kind) {
  const suits = [...SUITS];
  if (kind === "s") return suits.map((suit) => high + suit + low + suit);
  const pairs = suits.flatMap((first, at) => suits.map((second, other) => [first, second, at, other]));
  const wanted = pairs.filter(([, , at, other]) => (kind === "o" ? at !== other : at < other));
  return wanted.map(([first, second]) => high + first + low + second);
}

export const touches = (combo, board) => board.includes(combo.slice(0, 2)) || board.includes(combo.slice(2));

export class PaintedRange {
  constructor() {
    this.weights = new Map(); // only those above 0
    this.past = [];
    this.future = [];
  }

  of(combo) {
    return this.weights.get(combo) ?? 0;
  }

  // The weights of a class on a board: their mean, whether they differ, and how many hands there can be.
  classOf(name, board) {
    const combos = combosOf(name).filter((combo) => !touches(combo, board));
    const weights = combos.map((combo) => this.of(combo));
    const mean = weights.length ? weights.reduce((sum, weight) => sum + weight, 0) / weights.length : 0;
    return { mean, differ: weights.some((weight) => Math.abs(weight - mean) > 1e-9), possible: combos.length };
  }

  count(board) {
    let sum = 0;
    for (const [combo, weight] of this.weights) if (!touches(combo, board)) sum += weight;
    return sum;
  }

  // What follows is one step for undo.
  remember() {
    this.past.push(new Map(this.weights));
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.future = [];
  }

  set(combos, weight) {
    const kept = weight > 0 ? Math.max(1, Math.round(weight * FINEST)) / FINEST : 0;
    for (const combo of combos) {
      if (kept > 0) this.weights.set(combo, kept);
      else this.weights.delete(combo);
    }
  }

  replace(weights) {
    this.remember();
    this.weights = new Map(Object.entries(weights).filter(([, weight]) => weight > 0));
  }

  forgetSteps() {
    this.past = [];
    this.future = [];
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return;
    to.push(this.weights);
    this.weights = from.pop();
  }
}
