// The question: board, ranges, pot, stack, sizes, locks. It is kept in the browser, so that a reload loses nothing.
import { BoardPicker } from "../widgets/board_picker.js";
import { byId, element, splitCards } from "../widgets/cards.js";
import { keep, readKept } from "../widgets/kept.js";
import { RangePainter } from "../widgets/range_painter.js";
import { Sizes } from "../widgets/sizes.js";

const KEPT = "holdem.solve";
const VERSION = 1;
const PLAYERS = ["oop", "ip"];
const LOCKS_GONE = "the locks are gone: they were of decisions on the board before";
const MORE = ["id", "min_bet", "bets", "to_act", "played"]; // of spots from elsewhere: kept as they came
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

  async load(spot, only = ["ranges", "rest"]) {
    const locks = checkedLocks(spot.locks ?? []);
    this.loading = true;
    try {
      if (only.includes("rest")) {
        this.board.set(splitCards(`${spot.board}`.replace(/10/g, "T").replace(/[\s,]/g, "")));
        this.sizes.load(spot);
        this.locks = locks;
        this.more = Object.fromEntries(MORE.filter((key) => matters(key, spot[key])).map((key) => [key, spot[key]]));
        this.showBoard();
      }
      if (only.includes("ranges")) await Promise.all(PLAYERS.map((player) => this.painters[player].loadText(spot[`range_${player}`])));
    } finally {
      this.loading = false;
    }
    this.afterChange();
  }

  // Kept in the browser: weights rather than words, so that a stroke is kept before the server has put it into words.
  keep() {
    const weights = Object.fromEntries(PLAYERS.map((player) => [player, Object.fromEntries(this.painters[player].range.weights)]));
    keep(KEPT, VERSION, { board: this.board.cards, weights, sizes: this.sizes.kept(), locks: this.locks, more: this.more });
  }

  async restore() {
    const kept = readKept(KEPT, VERSION);
    if (!kept || !this.loadKept(kept)) await this.load(FIRST);
    for (const painter of Object.values(this.painters)) painter.forgetSteps();
    this.ready = true;
    this.changed();
  }

  // Whether it could be read; what is not ours is left alone.
  loadKept(kept) {
    this.loading = true;
    try {
      this.board.set(kept.board);
      this.sizes.load(kept.sizes);
      [this.locks, this.more] = [[...checkedLocks(kept.locks)], { ...kept.more }];
      for (const player of PLAYERS) this.painters[player].load(kept.weights[player]);
      this.showBoard();
    } catch {
      return false;
    } finally {
      this.loading = false;
    }
    this.afterChange();
    return true;
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
