// The question: board, ranges, pot, stack, sizes, locks. It is kept in the browser, so that a reload loses nothing.
import { BoardPicker, checkedBoard } from "../widgets/board_picker.js";
import { byId, element, splitCards } from "../widgets/cards.js";
import { keep, readKept } from "../widgets/kept.js";
import { RangePainter } from "../widgets/range_painter.js";
import { readSizes, Sizes } from "../widgets/sizes.js";

const KEPT = "holdem.solve";
const VERSION = 1;
const PLAYERS = ["oop", "ip"];
const PARTS = ["rest", "ranges"]; // of a spot
export const LOCKS_GONE = "the locks are gone: they were of decisions on the board before";
export const MORE = ["id", "min_bet", "bets", "to_act", "played"]; // of spots from elsewhere: kept as they came
const OF_THE_BOARD = ["id", "bets", "to_act", "played"]; // the root of another board begins its street
// What a first visit finds: a turn after a raise and a call, which is solved in a second or two.
const FIRST = {
  board: "Kc 8h 5h 2s", pot: 60, effective_stack: 200,
  range_oop: "22+, A2s+, ATo+, K9s+, KJo+, QTs+, QJo, J9s+, T8s+, 97s+, 87s, 76s, 65s",
  range_ip: "22+, A2s+, A9o+, K8s+, KTo+, Q9s+, QTo+, J9s+, JTo, T8s+, 98s, 87s, 76s, 65s, 54s",
  bet_sizes: {
    flop: { bet: "33%, 75%", raise: "60% / a" }, turn: { bet: "66%", raise: "60% / a" }, river: { bet: "66%, a", raise: "a" },
  },
};

export class SpotForm {
  // `changed()` is called after each change, `say(words)` tells what else a change did.
  constructor(changed, say) {
    this.changed = changed;
    this.say = say;
    this.locks = [];
    this.more = {};
    this.ready = false; // until what was kept is there again
    this.board = new BoardPicker(byId("board"), () => this.boardChanged());
    this.sizes = new Sizes(byId("sizes"), () => this.afterChange());
    const names = { oop: "OOP", ip: "IP" };
    this.painters = Object.fromEntries(PLAYERS.map((player) => [player, new RangePainter(byId(player), names[player], () => this.afterChange())]));
    for (const player of PLAYERS) byId(`paint-${player}`).onclick = () => this.showPainter(player);
  }

  showPainter(player) {
    byId("painters").dataset.shown = player;
    for (const one of PLAYERS) byId(`paint-${one}`).setAttribute("aria-pressed", one === player);
  }

  boardChanged() {
    if (this.locks.length) this.say(LOCKS_GONE);
    this.locks = []; // they name nodes of another tree
    for (const key of OF_THE_BOARD) delete this.more[key];
    this.showBoard(true);
    this.afterChange();
  }

  showBoard(fill = false) {
    for (const player of PLAYERS) this.painters[player].setBoard(this.board.cards);
    this.sizes.setStreet(this.board.cards.length, fill);
  }

  afterChange() {
    if (this.loading) return;
    this.keep();
    this.showMore();
    this.changed();
  }

  setLocks(locks) {
    this.locks = locks;
    this.afterChange();
  }

  // The spot as `holdem solve` reads it.
  async spot() {
    const [range_oop, range_ip] = await Promise.all(PLAYERS.map((player) => this.painters[player].currentText()));
    const { pot, effective_stack, bet_sizes } = this.sizes.plain();
    const locks = this.locks.length ? { locks: this.locks } : {};
    return { board: this.board.cards.join(" "), pot, effective_stack, range_oop, range_ip, bet_sizes, ...this.more, ...locks };
  }

  // What the spot still lacks, in a sentence.
  missing(spot) {
    if (this.board.cards.length < 3) return "Choose three to five cards of the board.";
    const empty = PLAYERS.find((player) => !spot[`range_${player}`]);
    return empty ? `The range of ${empty.toUpperCase()} is empty; paint some hands.` : "";
  }

  // All of a spot or a part of it, as a file has it; what cannot be read is said before the form is touched.
  async load(spot, only = PARTS) {
    const rest = only.includes("rest") && readRest({ ...spot, board: readBoard(spot.board) });
    const texts = only.includes("ranges") ? PLAYERS.map((player) => checkedText(spot[`range_${player}`], player)) : [];
    this.loading = true;
    try {
      if (rest) this.showRest(rest);
      await Promise.all(texts.map((text, at) => this.painters[PLAYERS[at]].loadText(text)));
    } finally {
      this.loading = false;
    }
    this.afterChange();
  }

  // Ranges of a spot that was loaded whose weights are finer than those that are kept: the form has others.
  finerRanges(spot) {
    return Object.fromEntries(PLAYERS.filter((player) => this.painters[player].rounded).map((player) => [`range_${player}`, spot[`range_${player}`]]));
  }

  showRest({ board, sizes, locks, more }) {
    this.board.set(board);
    this.sizes.load(sizes);
    Object.assign(this, { locks, more });
    this.showBoard();
  }

  // Kept in the browser: weights rather than words, so that a stroke is kept before the server has put it into words.
  keep() {
    const weights = Object.fromEntries(PLAYERS.map((player) => [player, Object.fromEntries(this.painters[player].range.weights)]));
    keep(KEPT, VERSION, { board: this.board.cards, weights, sizes: this.sizes.kept(), locks: this.locks, more: this.more });
  }

  async restore() {
    const kept = readKept(KEPT, VERSION);
    const unread = kept ? this.loadKept(kept) : PARTS;
    if (unread.length) await this.load(FIRST, unread);
    for (const painter of Object.values(this.painters)) painter.forgetSteps();
    this.ready = true;
    this.afterChange();
  }

  // The parts that could not be read: a board that is none does not cost what was painted.
  loadKept({ board, sizes, locks, more, weights }) {
    const readers = {
      rest: () => this.showRest(readRest({ ...sizes, ...more, board: checkedBoard(board), locks })),
      ranges: () => PLAYERS.forEach((player) => this.painters[player].load(weights[player])),
    };
    this.loading = true;
    const unread = PARTS.filter((part) => !succeeds(readers[part]));
    this.loading = false;
    return unread;
  }

  showMore() {
    const told = Object.entries(this.more).filter(([key]) => key !== "id");
    const words = told.map(([key, value]) => `${key.replace("_", " ")} ${[value].flat().join(", ")}`);
    const drop = element("button", "tool", "Leave this out");
    drop.type = "button";
    drop.onclick = () => {
      this.more = {};
      this.afterChange();
    };
    byId("extra").hidden = !words.length;
    byId("extra").replaceChildren(`Also of this spot: ${words.join("; ")}. `, drop);
  }
}

function succeeds(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

// All of a spot but its ranges.
function readRest({ board, locks, ...spot }) {
  const more = Object.fromEntries(MORE.filter((key) => matters(key, spot[key])).map((key) => [key, spot[key]]));
  return { board, sizes: readSizes(spot), locks: checkedLocks(locks ?? []), more };
}

// As `holdem solve` reads it: "Kc 8h 5h", "kc8h5h", "10s, 9s, 2d".
function readBoard(text) {
  const letters = `${text}`.replace(/10/g, "T").replace(/[\s,]/g, "");
  if (letters.length % 2) throw new Error(`the board ${text} is no list of cards; write two letters for each, such as Kc 8h 5h`);
  return checkedBoard(splitCards(letters));
}

function checkedText(text, player) {
  if (typeof text !== "string") throw new Error(`range_${player} is no text; write it as "22+, A2s+" or so`);
  return text;
}

function checkedLocks(locks) {
  const fine = Array.isArray(locks) && locks.every((lock) => typeof lock?.node === "string");
  if (!fine) throw new Error("the locks of this spot are no list of decisions, each with its node; leave them out");
  return locks;
}

function matters(key, value) {
  if (value === undefined || value === null) return false;
  if (key === "bets") return value.some?.((bet) => bet > 0);
  if (key === "played") return value.length > 0;
  return value !== { to_act: "oop", min_bet: 1, id: "" }[key];
}
