// Pot, stack, and bet sizes by street in the small language: "50%, 100%, a"; both players alike, or each their own.
// Raises by their number are separated by strokes: "60% / a" is 60 % first and all-in after that.
import { element } from "./cards.js";

const STREETS = ["flop", "turn", "river"];
const PLAYERS = ["oop", "ip"];
const FIRST = { bet: "66%", raise: "a" }; // where no later street has a bet
const HELP = "50% of the pot, 2.5x the bet, 100c chips, e geometric, a all-in; raises by their number: 60% / a";

export class Sizes {
  // `changed()` is called after each change that a person made.
  constructor(host, changed) {
    this.changed = changed;
    this.first = 0; // the street of the board
    this.menus = { oop: emptyMenus(), ip: emptyMenus() };
    this.differed = false; // whether the two had menus of their own when they were last separate
    this.known = new Set(); // streets that were seen or read: an empty menu is meant there
    this.pot = chipsInput("pot");
    this.stack = chipsInput("stack");
    this.separate = element("input");
    this.separate.type = "checkbox";
    this.table = element("div", "menus");
    host.classList.add("sizes");
    host.append(
      element("div", "chips", element("label", "", "Pot ", this.pot), element("label", "", "Stack ", this.stack)),
      element("div", "head", element("h2", "", "Sizes"), element("label", "note", this.separate, " OOP and IP differ")),
      this.table,
    );
    host.title = HELP;
    this.pot.onchange = this.stack.onchange = () => this.changed();
    this.separate.onchange = () => {
      if (!this.separate.checked) this.differed = this.differ();
      else if (!this.differed) this.menus.ip = structuredClone(this.menus.oop);
      this.show();
      this.changed();
    };
    this.show();
  }

  // A street that a person's board brings for the first time gets the sizes of the next one.
  setStreet(cards, fill = false) {
    this.first = Math.max(0, cards - 3);
    for (const street of STREETS.slice(this.first).reverse()) {
      if (fill && !this.known.has(street)) this.fill(street);
      this.known.add(street);
    }
    this.show();
  }

  fill(street) {
    for (const player of PLAYERS) {
      const next = this.menus[player][STREETS[STREETS.indexOf(street) + 1]];
      this.menus[player][street] = { ...(next?.bet ? next : FIRST) };
    }
  }

  // What `readSizes` has read.
  load({ pot, stack, menus }) {
    this.pot.value = pot;
    this.stack.value = stack;
    this.menus = menus;
    this.known = new Set(STREETS.filter((street) => PLAYERS.some((player) => this.menus[player][street].bet || this.menus[player][street].raise)));
    this.separate.checked = this.differ();
    this.differed = false;
    this.show();
  }

  differ() {
    return JSON.stringify(this.menus.oop) !== JSON.stringify(this.menus.ip);
  }

  // The same for a spot; chips are whole numbers, and what is no number stays text for the server to refuse.
  plain() {
    const streets = STREETS.slice(this.first);
    const menusOf = (player) => Object.fromEntries(streets.map((street) => [street, writeMenus(this.menus[player][street])]));
    const bet_sizes = this.separate.checked ? { oop: menusOf("oop"), ip: menusOf("ip") } : menusOf("oop");
    return { pot: chipsOf(this.pot), effective_stack: chipsOf(this.stack), bet_sizes };
  }

  // Everything, streets before the board's too, for a later visit.
  kept() {
    return { pot: chipsOf(this.pot), effective_stack: chipsOf(this.stack), bet_sizes: { oop: this.all("oop"), ip: this.all(this.separate.checked ? "ip" : "oop") } };
  }

  all(player) {
    return Object.fromEntries(STREETS.map((street) => [street, writeMenus(this.menus[player][street])]));
  }

  show() {
    const players = this.separate.checked ? PLAYERS : ["oop"];
    const rows = players.flatMap((player) => [
      element("b", "", this.separate.checked ? player.toUpperCase() : ""), element("span", "note", "bet"), element("span", "note", "raise"),
      ...STREETS.slice(this.first).flatMap((street) => [
        element("span", "", street), this.menu(player, street, "bet"), this.menu(player, street, "raise"),
      ]),
    ]);
    this.table.replaceChildren(...rows);
  }

  menu(player, street, kind) {
    const input = element("input");
    Object.assign(input, { value: this.menus[player][street][kind], placeholder: kind === "bet" ? "only check" : "only call", spellcheck: false, autocomplete: "off", title: [this.menus[player][street][kind], HELP].filter(Boolean).join("\n") });
    input.setAttribute("aria-label", `${this.separate.checked ? `${player} ` : ""}${street} ${kind} sizes`);
    input.onchange = () => {
      this.menus[player][street][kind] = input.value.trim();
      this.changed();
    };
    return input;
  }
}

const emptyMenus = () => Object.fromEntries(STREETS.map((street) => [street, { bet: "", raise: "" }]));

// Pot, stack and menus of a spot; these are by street, or by player and street.
export function readSizes({ pot, effective_stack: stack, bet_sizes = {} }) {
  const known = checkedObject(bet_sizes, "bet_sizes", "streets");
  const separate = PLAYERS.some((player) => player in known);
  if (separate && Object.keys(known).some((name) => !PLAYERS.includes(name))) throw new Error("bet_sizes names players and streets side by side; write streets inside oop and ip");
  const streetsOf = (player) => (separate ? checkedStreets(known[player] ?? {}, `bet_sizes.${player}`) : checkedStreets(known, "bet_sizes"));
  const menusOf = (player) => Object.fromEntries(STREETS.map((street) => [street, readMenus(streetsOf(player)[street], street)]));
  return { pot, stack, menus: Object.fromEntries(PLAYERS.map((player) => [player, menusOf(player)])) };
}

function readMenus(menus = {}, street) {
  const { bet = "", raise = "" } = checkedObject(menus, `bet_sizes of the ${street}`, "menus, bet and raise");
  return { bet: `${bet}`, raise: [raise].flat().join(" / ") };
}

function checkedStreets(value, name) {
  const streets = checkedObject(value, name, "streets");
  const strange = Object.keys(streets).find((street) => !STREETS.includes(street));
  if (strange !== undefined) throw new Error(`${name}: '${strange}' is not a street; they are flop, turn and river`);
  return streets;
}

function checkedObject(value, name, content) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error(`${name} is no object of ${content}; write {"river": {"bet": "50%, a", "raise": "a"}} or so`);
  return value;
}

function writeMenus({ bet, raise }) {
  const parts = raise.split("/").map((part) => part.trim());
  return { bet, raise: parts.length > 1 ? parts : raise };
}

function chipsInput(name) {
  const input = element("input", "number");
  Object.assign(input, { type: "text", inputMode: "numeric", autocomplete: "off", id: name });
  return input;
}

function chipsOf(input) {
  const text = input.value.replace(/[,\s]/g, "");
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
