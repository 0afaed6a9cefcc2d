// One hand on the table, step by step: the messages of a table that is played, shown one after the other.
import { byId, cardWords, chipWords, element, rounded, signed } from "../widgets/cards.js";
import { decisionView } from "../widgets/coach.js";
import { showFelt } from "../widgets/felt.js";

const PAUSES = { deal: 700, BoardDealt: 1000, CardsShown: 1000 };
const PAUSE = 750;
let hand = null; // what the server says of it
let at = 0; // the step
let timer = null;
let found = () => undefined; // what the bot says at a decision of this hand, by its place

export const shownHand = () => hand;

// `decisionOf(place)` is what a review found at a decision of this hand.
export function showHand(opened, step, decisionOf) {
  stop();
  hand = opened;
  found = decisionOf;
  const lines = hand.steps.flatMap((message, number) => message.log.map((line) => logLine(line, message.event, number)));
  byId("log").replaceChildren(...lines);
  go(Math.min(step, hand.steps.length - 1));
}

// No hand is shown.
export function closeHand() {
  stop();
  hand = null;
  for (const id of ["felt", "log", "marks", "where"]) byId(id).replaceChildren();
  for (const id of ["first", "back", "on", "last", "run", "decision-back", "decision-on", "earlier", "later"]) byId(id).disabled = true;
  byId("coach").hidden = true;
}

function logLine(line, event, number) {
  const words = element("button", event === "BoardDealt" ? "street-line" : "", `${line.words} `, ...cardWords(line.cards));
  if (line.remark) words.append(` (${line.remark})`);
  words.type = "button";
  words.dataset.step = number;
  words.addEventListener("click", (click) => {
    if (click.detail) words.blur(); // what the mouse clicked does not keep the keyboard: space goes on playing
    walk(number);
  });
  return words;
}

export function go(step) {
  at = Math.max(0, Math.min(step, hand.steps.length - 1));
  showFelt(byId("felt"), hand.steps[at], hand.seat);
  const actor = hand.actors[at];
  if (actor !== null) seatElement(actor).classList.add("active");
  for (const id of ["first", "back"]) byId(id).disabled = at === 0;
  for (const id of ["on", "last", "run"]) byId(id).disabled = at === hand.steps.length - 1;
  byId("decision-back").disabled = !hand.decisions.some((decision) => decision < at);
  byId("decision-on").disabled = !hand.decisions.some((decision) => decision > at);
  byId("where").replaceChildren(...whereWords());
  showLog();
  showDecisions();
}

const seatElement = (seat) => byId("felt").querySelectorAll(".seat")[seat];

function whereWords() {
  const result = hand.absent ? `${hand.player} is not in this hand` : hand.won === null ? "unfinished" : `${signed(hand.won) || "0"} chips`;
  const outcome = element("span", hand.won > 0 ? "good" : hand.won < 0 ? "bad" : "", result);
  const happened = hand.steps[at].log.map((line) => element("span", "", `${line.words} `, ...cardWords(line.cards), ". "));
  return [`Hand ${hand.number}, step ${at + 1} of ${hand.steps.length}: `, element("span", "heard", ...happened), outcome];
}

function showLog() {
  const log = byId("log");
  for (const line of log.children) {
    const now = Number(line.dataset.step) === at;
    line.classList.toggle("now", now);
    line.ariaCurrent = now ? "step" : null;
    line.classList.toggle("ahead", Number(line.dataset.step) > at);
  }
  const now = log.querySelector(".now");
  if (now) log.scrollTop = Math.max(0, now.offsetTop - log.offsetTop - log.clientHeight / 2);
}

// The decisions of the hand, marked with what they lost; and what the bot says where one is shown.
export function showDecisions() {
  if (!hand) return;
  const held = [...byId("marks").querySelectorAll("button")].indexOf(document.activeElement);
  byId("marks").replaceChildren(...hand.decisions.map((step, place) => {
    const review = found(place);
    const button = element("button", step === at ? "now" : "", `${hand.steps[step].street}: ${hand.steps[step + 1].seats[hand.seat].last}`);
    if (review) button.append(" ", lostView(review));
    button.addEventListener("click", () => walk(step));
    return element("li", "", button);
  }));
  byId("marks").querySelectorAll("button")[held]?.focus({ preventScroll: true });
  const now = byId("marks").querySelector(".now");
  if (now) byId("marks").scrollLeft = now.offsetLeft - byId("marks").offsetLeft - byId("marks").clientWidth / 3;
  const review = hand.decisions.includes(at) ? found(hand.decisions.indexOf(at)) : null;
  byId("coach").hidden = !review;
  if (review) byId("coach").replaceChildren(decisionView(review.bot, hand.who), ...lossWords(review));
}

function lossWords(review) {
  const doubt = review.counted ? "" : `; not counted: a decision ${review.not_counted_because}`;
  if (review.lost === null) return [element("p", "note", `What was lost here is not known${doubt}`)];
  const best = review.best && review.lost > 0 ? `; the best is ${review.best}` : "";
  return [element("p", "note", "Lost here: ", lostView(review), errorWords(review.lost_error, review.bot.digits), best, review.priced_as ? `; priced as ${review.priced_as}` : "", doubt)];
}

// At least one of the last digit; nothing where nothing was estimated.
export const errorWords = (error, digits) => (error ? ` ± ${chipWords(Math.max(10 ** -digits, error), digits)}` : "");

// Chips lost at a decision: red where it is clear, in brackets where it does not count.
export function lostView(review) {
  if (review.lost === null) return element("span", "", "?");
  const { digits } = review.bot;
  const some = rounded(review.lost, digits) > 0;
  const words = `−${chipWords(review.lost, digits)}`;
  if (!review.counted) return element("span", "", some ? `(${words})` : "(✓)");
  if (!review.clear) return element("span", some ? "" : "fine", some ? words : "✓");
  return element("b", "lost", words, element("span", "heard", " clear"));
}

// Walking

export function nextDecision(direction) {
  const steps = direction > 0 ? hand.decisions.filter((step) => step > at).slice(0, 1) : hand.decisions.filter((step) => step < at).slice(-1);
  if (steps.length) walk(steps[0]);
}

export function walk(step) {
  stop();
  go(step);
}

export const step = (by) => walk(at + by);
export const toEnd = () => walk(hand.steps.length - 1);

export function stop() {
  clearTimeout(timer);
  timer = null;
  byId("run").textContent = "▶ Play";
  byId("run").setAttribute("aria-label", "play");
}

export function playOrPause() {
  if (timer) return stop();
  if (at === hand.steps.length - 1) return undefined;
  byId("run").textContent = "❚❚ Pause";
  byId("run").setAttribute("aria-label", "pause");
  const next = () => {
    go(at + 1);
    if (at === hand.steps.length - 1) stop();
    else timer = setTimeout(next, PAUSES[hand.steps[at].event] ?? PAUSE);
  };
  timer = setTimeout(next, 250);
  return undefined;
}
