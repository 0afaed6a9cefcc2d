// The hands of a file, a page of them at a time: cards, board, result, and what a review found.
import { byId, cardWords, chipWords, element, signed } from "../widgets/cards.js";

let page = null; // what the server says

export const handPage = () => page;

// `open(number)` opens a hand; `lost(number)` is what a review says of it: `{ chips, uncounted, digits, clear }`, undefined if nothing.
export function showHands(listed, current, open, lost) {
  page = listed;
  const last = listed.first + listed.hands.length - 1;
  const hands = listed.count > listed.hands.length ? `Hands ${listed.first}–${last} of ${listed.count.toLocaleString("en-US")}` : `${listed.count} ${listed.count === 1 ? "hand" : "hands"}`;
  byId("hands-title").textContent = listed.unit > 1 ? `${hands} · a chip is ${1 / listed.unit} of the file's` : hands;
  byId("page-back").hidden = byId("page-on").hidden = listed.count <= listed.page;
  byId("page-back").disabled = listed.first === 1;
  byId("page-on").disabled = last >= listed.count;
  const head = element("thead", "", element("tr", "", ...[["Hand", ""], ["Cards", ""], ["Board", "wide"], ["Result", "number"], ["Lost", "number"], ["Seats", "number wide"], ["When", "wide"]].map(([words, kind]) => element("th", kind, words))));
  byId("hands").replaceChildren(head, element("tbody", "", ...listed.hands.map((hand) => row(hand, open))));
  markHands(current, lost);
}

function row(hand, open) {
  const button = element("button", "", String(hand.number));
  button.type = "button";
  button.disabled = Boolean(hand.error);
  button.setAttribute("aria-label", `open hand ${hand.number}`);
  const line = element("tr", "", element("td", "", button));
  line.dataset.number = hand.number;
  if (hand.error) {
    const sentence = element("td", "broken", hand.error);
    sentence.colSpan = 6;
    line.append(sentence);
    return line;
  }
  const result = hand.absent ? "not in this hand" : hand.won === null ? "unfinished" : `${hand.left ? "left, " : ""}${signed(hand.won) || "0"}`;
  line.append(
    element("td", "", ...cardWords(hand.cards)),
    element("td", "wide", ...cardWords(hand.board)),
    element("td", `number ${hand.won > 0 ? "good" : hand.won < 0 ? "bad" : ""}`, result),
    element("td", "number lost-cell"),
    element("td", "number wide", String(hand.seats)),
    element("td", "wide", hand.when),
  );
  line.addEventListener("click", () => open(hand.number));
  return line;
}

// Which hand is open, and what was lost in each.
export function markHands(current, lost) {
  for (const line of byId("hands").querySelectorAll("tbody tr")) {
    const number = Number(line.dataset.number);
    line.classList.toggle("now", number === current);
    const cell = line.querySelector(".lost-cell");
    if (!cell) continue;
    const found = lost(number);
    cell.replaceChildren(...(found ? [lostWords(found), element("span", "heard", found.clear ? " clear" : "")] : []));
    cell.classList.toggle("lost", Boolean(found?.clear));
  }
}

// Chips lost; in brackets, if nothing else was, those that do not count.
function lostWords({ chips, uncounted, digits }) {
  const words = (lost) => `−${chipWords(lost, digits)}`;
  if (chips) return words(chips);
  return uncounted ? `(${words(uncounted)})` : "✓";
}
