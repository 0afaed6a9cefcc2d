// What happened, line by line, and the list of hands of this session.
import { byId, cardWords, element, signed } from "../widgets/cards.js";

const MOST_LINES = 600;
const kind = (won) => (won > 0 ? "good" : won < 0 ? "bad" : "");

export function logTable(message) {
  const lines = message.event === "deal" ? [element("h3", "", `Hand ${message.hand}`)] : [];
  for (const line of message.log) {
    const words = element("p", message.event === "BoardDealt" ? "street-line" : "", `${line.words} `, ...cardWords(line.cards));
    if (line.remark) words.append(` (${line.remark})`);
    lines.push(words);
  }
  append(lines);
}

export const logOutcome = (won) => append([element("p", `outcome ${kind(won)}`, `${signed(won)} chips`)]);

export const logNote = (words) => append([element("p", "note", words)]);

export const clearLog = () => byId("log").replaceChildren();

function append(lines) {
  const log = byId("log");
  log.append(...lines);
  while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
  showNewest();
}

const showNewest = () => (byId("log").scrollTop = byId("log").scrollHeight);

// Advice above the log takes room from it: the newest line stays in sight, unless somebody reads further up.
function keepNewestInSight() {
  const log = byId("log");
  let atEnd = true, height = log.clientHeight;
  log.onscroll = () => {
    if (log.clientHeight === height) atEnd = log.scrollTop + height >= log.scrollHeight - 2; // else nobody has scrolled
  };
  new ResizeObserver(() => {
    height = log.clientHeight;
    if (atEnd) showNewest();
  }).observe(log);
}

// Hands that are over, the newest first; each is a link to the review of it in the server's file.
export function showHands(hands, history) {
  byId("hand-list").replaceChildren(...hands.map((hand) => handLine(hand, history)).reverse());
  byId("hand-list-panel").hidden = !hands.length;
}

export function addHand(hand, history) {
  byId("hand-list").prepend(handLine(hand, history));
  byId("hand-list-panel").hidden = false;
}

function handLine(hand, history) {
  const link = element("a", "", element("span", "", `Hand ${hand.hand} `), element("span", "own", ...cardWords(hand.cards)));
  link.append(element("span", "cards", ...cardWords(hand.board)), element("b", `number ${kind(hand.won)}`, ` ${signed(hand.won)}`));
  link.href = `/review?${new URLSearchParams({ file: history, hand: hand.number_in_file })}`;
  link.title = "look at this hand again in the review room, in another tab: the table goes on here";
  link.target = "_blank";
  link.rel = "noopener";
  return element("li", "", link);
}

keepNewestInSight();
