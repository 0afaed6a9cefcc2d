// A deck to choose cards from, in a dialog.
import { stopAt, useArrowKeys } from "./arrow_keys.js";
import { card, element } from "./cards.js";
import { titleOf } from "./dialogs.js";
import { RANKS } from "./grid.js";

const SUITS = "shdc";
export const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

// A promise of so many cards that are not among `used`; null if nothing was chosen.
export function pickCards(count, used) {
  const dialog = element("dialog", "picker");
  const picked = [];
  document.body.append(dialog);
  return new Promise((resolve) => {
    const end = (cards) => {
      dialog.onclose = null;
      dialog.close(); // which gives the focus back
      dialog.remove();
      resolve(cards);
    };
    const deck = element("div", "deck", ...DECK.map((name) => deckButton(name, used.includes(name), (button) => {
      const at = picked.indexOf(name);
      if (at >= 0) picked.splice(at, 1);
      else picked.push(name);
      button.classList.toggle("picked", at < 0);
      button.setAttribute("aria-pressed", at < 0);
      if (picked.length === count) end(picked);
    })));
    const any = element("button", "", "Any cards");
    any.onclick = () => {
      const free = DECK.filter((name) => !used.includes(name) && !picked.includes(name));
      while (picked.length < count) picked.push(free.splice(Math.floor(Math.random() * free.length), 1)[0]);
      end(picked);
    };
    const cancel = element("button", "", "Cancel");
    cancel.onclick = () => end(null);
    const title = titleOf(dialog, count === 1 ? "Choose the next card" : `Choose the ${count} cards of the flop`);
    dialog.append(title, deck, element("div", "row", any, cancel));
    dialog.onclose = () => end(null);
    deck.setAttribute("role", "group");
    deck.setAttribute("aria-label", "deck: arrow keys move, Enter takes a card or gives it back");
    useArrowKeys(deck, RANKS.length);
    stopAt(deck);
    dialog.showModal();
  });
}

export function deckButton(name, disabled, clicked) {
  const button = element("button", "", card(name));
  button.type = "button";
  button.disabled = disabled;
  button.onclick = () => clicked(button);
  return button;
}
