// The way from the root of a solve to a node: a step for each decision and each card, the last with all that can follow.
import { DECK, deckButton } from "./card_picker.js";
import { stopAt, useArrowKeys } from "./arrow_keys.js";
import { card, chips, element, percent } from "./cards.js";

const NAMES = { oop: "OOP", ip: "IP" };
export const isCard = (label) => /^[2-9TJQKA][cdhs]$/.test(label);

// `walk(labels)` is called with the way that was chosen. `node` is what the server says of a place.
export function showWalker(host, node, walk) {
  const taken = node.steps.map((step) => step.label);
  const before = node.steps.map((step, at) => {
    const way = taken.slice(0, at);
    if (!isCard(step.label)) return stepView(step, way, walk);
    return dealtView(step.label, (node.steps[at + 1] ?? node).street, () => walk(way)); // the street that the card begins
  });
  const held = host.contains(document.activeElement); // the step that was clicked goes, and the focus with it
  host.replaceChildren(boardView(node), ...before, nowView(node, taken, walk));
  scrollToNow(host);
  if (held) (host.querySelector(".now .deck [tabindex='0']") ?? host.querySelector(".now button") ?? host.querySelector(".now")).focus();
}

// A row of steps is scrolled to its end, but the beginning of the step that is asked about stays in sight.
export function scrollToNow(host) {
  const now = host.querySelector(".now");
  host.scrollLeft = now ? now.offsetLeft - host.offsetLeft : host.scrollWidth;
}

// The board of the root, where all began.
function boardView(node) {
  const dealt = node.steps.filter((step) => isCard(step.label)).length;
  const cards = node.board.slice(0, node.board.length - dealt);
  const board = element("div", "dealt root", element("div", "cards", ...cards.map(card)), (node.steps[0] ?? node).street);
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", "the board");
  return board;
}

function stepView(step, before, walk) {
  const head = element("button", "head", element("b", "", NAMES[step.player] ?? ""), ` pot ${chips(step.pot)}`);
  head.title = "back to this decision";
  head.onclick = () => walk(before);
  const buttons = step.actions.map((action) => {
    const label = action.label ?? action;
    const button = actionButton(actionWords(label), () => walk([...before, label]));
    if (label === step.label) {
      button.className = "taken";
      button.setAttribute("aria-current", "true");
    }
    return button;
  });
  return element("div", "step", head, ...buttons);
}

function dealtView(name, street, back) {
  const button = element("button", "dealt", card(name), street);
  button.title = "choose another card";
  button.onclick = back;
  return button;
}

function nowView(node, taken, walk) {
  if (node.kind === "deal" && node.cards.length) return deckView(node, (name) => walk([...taken, name]));
  if (node.kind !== "decision") return overView(node);
  const stack = node.stacks[node.player === "oop" ? 0 : 1];
  const head = element("div", "head", element("b", "", NAMES[node.player]), `pot ${chips(node.pot)} · stack ${chips(stack)}`);
  const buttons = node.actions.map((action) => {
    const button = actionButton(action.words, () => walk([...taken, action.label]), action.frequency === null ? "–" : percent(action.frequency, 1));
    button.style.setProperty("--colour", action.colour);
    button.style.setProperty("--share", `${100 * action.frequency}%`);
    return button;
  });
  return element("div", "step now", head, ...buttons);
}

function overView(node) {
  const view = element("div", "step now over", element("b", "", node.kind === "end" ? "The end" : "A card"), element("span", "note", node.words));
  view.tabIndex = -1; // for the focus, which has no button here
  return view;
}

function actionButton(words, clicked, aside = "") {
  const button = element("button", "", words);
  if (aside) button.append(element("span", "number", aside));
  button.type = "button";
  button.onclick = clicked;
  return button;
}

function deckView(node, choose) {
  const deck = element("div", "deck small", ...DECK.map((name) => deckButton(name, !node.cards.includes(name), () => choose(name))));
  deck.setAttribute("role", "group");
  deck.setAttribute("aria-label", "the next card");
  useArrowKeys(deck, 13);
  stopAt(deck);
  return element("div", "step now deal", element("b", "", "Choose the next card"), deck);
}

// `Bet(45)` as people say it.
export function actionWords(label) {
  const [, name, amount] = /^(\w+?)(?:\((\d+)\))?$/.exec(label) ?? [null, label, ""];
  const word = name === "AllIn" ? "all-in" : name.toLowerCase();
  return amount ? `${word} ${amount}` : word;
}
