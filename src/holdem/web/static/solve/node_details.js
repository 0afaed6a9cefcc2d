// What lies beside the grid of a decision: the actions, the hands of a class, made hands and draws, a list of all hands.
import { cardWords, element, percent, splitCards } from "../widgets/cards.js";
import { mixView } from "../widgets/mix.js";

const MOST_ROWS = 200;
const RANKS = "23456789TJQKA", SUITS = "cdhs";
const NAMES = { oop: "OOP", ip: "IP" };
const wordsOf = (node) => node.actions.map((action) => action.words);
export const evWords = (value) => (value === null || value === undefined ? "–" : value.toFixed(Math.abs(value) < 10 ? 2 : 1).replace("-", "−"));
export const shareWords = (value) => (value === null || value === undefined ? "–" : percent(value, 1));
export const hasStrategy = (node) => node.reached || node.locked; // what nobody comes to is not solved
export const isKnown = (shares) => shares[0] !== null; // nor what a hand does that meets none of the other's
const coloursOf = (node) => node.actions.map((action) => action.colour);

export function classDetail(node, name) {
  const parts = [actionTable(node)];
  const found = node.classes[name];
  if (!found || !hasStrategy(node)) return parts;
  parts.push(element("h2", "", `${name}: ${percent(found.weight, 1)} of it gets here, EV ${evWords(found.ev)} chips, equity ${shareWords(found.equity)}`));
  return [...parts, element("div", "combos", ...(node.hands[name] ?? []).map((hand) => comboView(node, hand)))];
}

function actionTable(node) {
  const rows = node.actions.map((action) => {
    const colour = element("i");
    colour.style.background = action.colour;
    return row("td", [element("span", "key", colour, action.words), shareWords(action.frequency), evWords(action.ev)]);
  });
  return element("table", "table actions", element("thead", "", row("th", ["action", "frequency", "EV of the hands that do it, chips"])), element("tbody", "", ...rows));
}

function comboView(node, hand) {
  const words = wordsOf(node);
  const head = element("div", "combo", element("span", "", ...cardWords(splitCards(hand.cards))), isKnown(hand.shares) ? mixView(hand.shares, words, coloursOf(node), true) : "");
  const about = [kindWords(hand), `weight ${percent(hand.weight)}`, `equity ${shareWords(hand.equity)}`].filter(Boolean).join(" · ");
  const evs = hand.evs.flatMap((ev, at) => [" · ", element("span", "", `${words[at]}: ${evWords(ev)}`)]);
  return element("div", "", head, element("p", "note kind number", about), element("p", "note evs number", "EV in chips", ...evs));
}

// `top pair, flush draw`
const kindWords = ({ made, draw }) => [made, draw !== "no draw" && draw].filter(Boolean).join(", ");

export function compositionDetail(node) {
  const order = node.player === "oop" ? ["oop", "ip"] : ["ip", "oop"];
  return order.flatMap((player) => [
    element("h2", "", `${NAMES[player]}${player === node.player ? ", to act" : ""}`),
    compositionTable(node, node.composition[player] ?? [], player === node.player),
  ]);
}

function compositionTable(node, found, acts) {
  const head = ["hand", "share", "equity", ...(acts ? ["does"] : [])];
  const rows = found.map((one) => {
    const bar = element("i", "bar");
    bar.style.width = `${100 * one.share}%`;
    const cells = [one.name, element("span", "barred", bar, percent(one.share, 1)), shareWords(one.equity)];
    if (acts) cells.push(one.shares && hasStrategy(node) ? mixView(one.shares, wordsOf(node), coloursOf(node)) : "");
    return row("td", cells, one.kind === "draw" ? "draw" : "");
  });
  return element("table", "table composition", element("thead", "", row("th", head)), element("tbody", "", ...rows));
}

// Numbers to sort by: the higher card, the lower one, then suits; and what beats what, with its draw.
const rankOf = ({ cards: [high, suit, low, other] }) => [RANKS.indexOf(high), RANKS.indexOf(low), SUITS.indexOf(suit), SUITS.indexOf(other)].reduce((all, one) => 16 * all + one);
const kindOf = (node) => ({ made, draw }) => -(16 * node.made_names.indexOf(made) + node.draw_names.indexOf(draw));

// All hands in a table; a click on a heading sorts by it from the best or the most on, another turns the order.
export function handsDetail(node) {
  const hands = Object.values(node.hands).flat().filter((hand) => hand.weight > 0);
  const columns = [
    ["hand", rankOf, (hand) => element("span", "", ...cardWords(splitCards(hand.cards)))],
    ["weight", (hand) => hand.weight, (hand) => percent(hand.weight)],
    ["equity", (hand) => hand.equity, (hand) => shareWords(hand.equity)],
    ["EV, chips", (hand) => hand.ev, (hand) => evWords(hand.ev)],
    ["made", kindOf(node), kindWords],
    ...node.actions.map((action, at) => [action.words, (hand) => hand.shares[at], (hand) => (hand.shares[at] === null ? "–" : percent(hand.shares[at]))]),
  ];
  const body = element("tbody"), note = element("p", "note");
  let sorted = 3, down = true, most = MOST_ROWS;
  const buttons = columns.map(([name], at) => {
    const button = element("button", "tool", name);
    button.type = "button";
    button.onclick = () => {
      down = sorted === at ? !down : true;
      sorted = at;
      fill();
    };
    return button;
  });
  const head = row("th", buttons);
  const more = element("button", "tool", "Show all");
  more.onclick = () => {
    most = Infinity;
    fill();
  };
  function fill() {
    const [, valueOf] = columns[sorted];
    const compare = (a, b) => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1);
    hands.sort((a, b) => (down ? -1 : 1) * compare(valueOf(a), valueOf(b)));
    body.replaceChildren(...hands.slice(0, most).map((hand) => row("td", columns.map(([, , view]) => view(hand)))));
    [...head.children].forEach((cell, at) => cell.setAttribute("aria-sort", at !== sorted ? "none" : down ? "descending" : "ascending"));
    note.replaceChildren(`${hands.length} hands`, ...(hands.length > most ? [`, the first ${most} shown `, more] : []));
  }
  fill();
  return [element("div", "scrolls hands", element("table", "table", element("thead", "", head), body)), note];
}

const row = (tag, cells, className = "") => element("tr", className, ...cells.map((cell) => element(tag, "", cell)));
