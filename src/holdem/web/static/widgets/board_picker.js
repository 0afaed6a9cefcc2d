// Three to five cards of a board, clicked in a small deck that lies open.
import { stopAt, useArrowKeys } from "./arrow_keys.js";
import { DECK, deckButton } from "./card_picker.js";
import { card, element } from "./cards.js";

const MOST_CARDS = 5;
const STREETS = { 3: "flop", 4: "turn", 5: "river" };

// The same cards, if a board can have them.
export function checkedBoard(cards) {
  const odd = cards.find((name) => !DECK.includes(name));
  if (odd) throw new Error(`${odd} is no card; a card is a rank and a suit, such as Kc`);
  if (new Set(cards).size < cards.length) throw new Error(`a card is twice on the board ${cards.join(" ")}`);
  if (cards.length > MOST_CARDS) throw new Error(`the board ${cards.join(" ")} has ${cards.length} cards; it has at most ${MOST_CARDS}`);
  return cards;
}

export class BoardPicker {
  // `changed(cards)` is called after each change that a person made.
  constructor(host, changed) {
    this.cards = [];
    this.changed = changed;
    this.slots = element("div", "slots");
    this.deck = element("div", "deck small", ...DECK.map((name) => deckButton(name, false, () => this.toggle(name))));
    this.deck.setAttribute("role", "group");
    this.deck.setAttribute("aria-label", "deck: arrow keys move, Enter takes a card or gives it back");
    this.street = element("span", "note");
    const random = element("button", "tool", "Random flop");
    random.type = "button";
    random.onclick = () => this.take(shuffled().slice(0, 3));
    const clear = element("button", "tool", "Clear");
    clear.type = "button";
    clear.setAttribute("aria-label", "clear the board");
    clear.onclick = () => this.take([]);
    host.classList.add("board-picker");
    host.append(element("div", "head", element("h2", "", "Board"), this.street, random, clear), this.slots, this.deck);
    useArrowKeys(this.deck, 13);
    stopAt(this.deck);
    this.show();
  }

  set(cards) {
    this.cards = [...cards];
    this.show();
  }

  take(cards) {
    this.set(cards);
    this.changed(this.cards);
  }

  toggle(name) {
    if (this.cards.includes(name)) this.take(this.cards.filter((one) => one !== name));
    else if (this.cards.length < MOST_CARDS) this.take([...this.cards, name]);
  }

  show() {
    const full = this.cards.length === MOST_CARDS;
    [...this.deck.children].forEach((button, at) => {
      const picked = this.cards.includes(DECK[at]);
      button.classList.toggle("picked", picked);
      button.setAttribute("aria-pressed", picked);
      button.disabled = full && !picked;
    });
    this.street.textContent = STREETS[this.cards.length] ?? "3 to 5 cards";
    const held = [...this.slots.children].indexOf(document.activeElement);
    this.slots.replaceChildren(...Array.from({ length: MOST_CARDS }, (_, at) => this.slot(this.cards[at])));
    if (held >= 0) (this.slots.children[Math.min(held, this.cards.length - 1)] ?? this.tabStop()).focus();
  }

  // Where the Tab key stops in the deck.
  tabStop() {
    return [...this.deck.children].find((button) => button.tabIndex === 0);
  }

  slot(name) {
    if (!name) return element("span", "card slot");
    const button = element("button", "", card(name));
    button.type = "button";
    button.title = "take this card back";
    button.onclick = () => this.toggle(name);
    return button;
  }
}

function shuffled() {
  const deck = [...DECK];
  for (let at = deck.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [deck[at], deck[other]] = [deck[other], deck[at]];
  }
  return deck;
}
