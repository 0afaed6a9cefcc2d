// A review as it runs: decisions as they are found, mistakes sorted by what they lost, a summary at the end.
import { byId, cardWords, chipWords, counted, element, rounded, splitCards } from "../widgets/cards.js";
import { errorWords, lostView } from "./replay.js";

const MOST_SHOWN = 200;
const MOST_UNCLEAR = 5;
const NO_MISTAKE = "No clear mistake: what was lost is little beside the pot, or within the errors.";
const NONE_COUNTS = "Nothing could be judged: no decision counts, for the reasons that the summary names.";
const NONE_THAT_COUNTS = "No clear mistake among the decisions that count: what was lost there is little beside the pot, or within the errors.";
const UNCLEAR = "Not clear: little beside the pot, or within the errors.";
const NOT_DONE = "What the bot never does here; what it costs is not known.";
const NEVER = 0.005; // of the times: less is shown as 0 %
const NOT_COUNTED = "Not counted: the bot hardly ever comes here, so ranges are guesses, and so is what was lost.";
let socket = null;
let decisions = new Map(); // by hand: decisions by place
let due = null; // the timer of the table of mistakes, if it is drawn soon

export const decisionAt = (hand, place) => decisions.get(hand)?.[place];

// Behind the point of chips, where decisions are summed up: what the finest of them has.
const digitsOf = (some) => Math.max(0, ...some.map((one) => one.bot.digits));

// Chips that are marked as lost in a hand, whether some are clearly so, and those of decisions that do not count;
// undefined if nothing is known.
export function lostIn(hand) {
  const known = (decisions.get(hand) ?? []).filter((one) => one && one.lost !== null);
  if (!known.length) return undefined;
  const digits = digitsOf(known);
  const chips = (some) => rounded(some.reduce((sum, one) => sum + rounded(one.lost, digits), 0), digits);
  return { digits, chips: chips(known.filter((one) => one.counted)), uncounted: chips(known.filter((one) => !one.counted)), clear: known.some((one) => one.clear) };
}

export function forget() {
  endReview();
  decisions = new Map();
  byId("found").hidden = true;
  for (const id of ["summary", "mistakes"]) byId(id).replaceChildren();
  byId("so-far").textContent = "";
  byId("running").hidden = true;
}

export function endReview() {
  socket?.close();
  socket = null;
  byId("begin").disabled = false;
  byId("stop").hidden = true;
  byId("stop").disabled = false;
  byId("progress").hidden = true;
}

// `changed()` is called when decisions have come, `jump(hand, place)` when a mistake is clicked.
export function beginReview(request, changed, jump) {
  forget();
  const say = (words) => (byId("so-far").textContent = words);
  const own = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/review`);
  socket = own;
  byId("running").hidden = byId("progress").hidden = byId("stop").hidden = false;
  byId("begin").disabled = true;
  byId("progress").removeAttribute("value");
  say(request.milliseconds ? "the bot is opened; the first time here its search is compiled, for a minute or two…" : "the bot is opened…");
  let note = "", over = false;
  const handlers = {
    begun(message) {
      note = [message.with, message.note].filter(Boolean).join("; ");
      byId("progress").max = message.hands;
    },
    decision(message) {
      if (!decisions.has(message.hand)) decisions.set(message.hand, []);
      decisions.get(message.hand)[message.place] = message;
      drawSoon(changed, jump);
    },
    progress(message) {
      byId("progress").value = message.done;
      say(`${message.done} of ${counted(message.hands, "hand")}`);
    },
    summary(message) {
      over = true;
      showSummary(message);
      const stopped = message.stopped ? "stopped" : "";
      say([`${counted(message.hands, "hand")}, ${counted(message.lost.decisions, "decision")}`, stopped, message.left_out, note].filter(Boolean).join("; "));
      draw(changed, jump); // at once: nothing is drawn any more under whoever reads the end
    },
    told(message) {
      over = true;
      say(message.text);
    },
  };
  own.onopen = () => own.send(JSON.stringify(request));
  own.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (socket === own) handlers[message.type](message);
  };
  own.onclose = () => {
    if (socket !== own) return;
    if (!over) say("the server has ended, or is not there");
    endReview();
  };
}

// The decision that is looked at is still finished, and what was found is summed up.
export function stopReview() {
  byId("stop").disabled = true;
  if (socket.readyState === WebSocket.OPEN) socket.send("stop");
  else endReview();
  byId("so-far").textContent += "; stopping…";
}

function drawSoon(changed, jump) {
  due ??= setTimeout(() => draw(changed, jump), 150);
}

function draw(changed, jump) {
  clearTimeout(due);
  due = null;
  showMistakes(jump);
  changed();
}

// Clear mistakes first; below them what seems to have cost the most of the rest, and of what does not count.
function showMistakes(jump) {
  const all = [...decisions.values()].flat().filter(Boolean);
  const losses = all.filter((one) => rounded(one.lost, one.bot.digits) > 0).sort((a, b) => b.lost - a.lost);
  const rows = (some, most) => some.slice(0, most).map((one) => mistakeRow(one, jump));
  const clear = rows(losses.filter((one) => one.clear), MOST_SHOWN);
  const unclear = rows(losses.filter((one) => one.counted && !one.clear), MOST_UNCLEAR);
  const guessed = rows(losses.filter((one) => !one.counted), MOST_UNCLEAR);
  const strange = rows(all.filter((one) => one.lost === null && one.bot_frequency < NEVER).sort((a, b) => b.bot.pot - a.bot.pot), MOST_UNCLEAR);
  for (const row of [...unclear, ...guessed, ...strange]) row.classList.add("unclear");
  for (const row of guessed) row.classList.add("guessed");
  byId("found").hidden = !decisions.size;
  const head = element("thead", "", element("tr", "", ...[["Lost", "number"], ["Hand", ""], ["Street", ""], ["Position", "wide"], ["Cards", ""], ["Board", "wide"], ["Played", ""], ["Best", ""], ["Bot does the same", "number wide"]].map(([words, kind]) => element("th", kind, words))));
  const none = !all.some((one) => one.counted) ? NONE_COUNTS : all.every((one) => one.counted) ? NO_MISTAKE : NONE_THAT_COUNTS;
  const between = clear.length ? (unclear.length ? [sentenceRow(UNCLEAR)] : []) : [sentenceRow(none)];
  if (guessed.length) guessed.unshift(sentenceRow(NOT_COUNTED));
  if (strange.length) strange.unshift(sentenceRow(NOT_DONE));
  const held = document.activeElement.closest("#mistakes [data-decision]")?.dataset.decision;
  byId("mistakes").dataset.decisions = all.length; // of which it is
  byId("mistakes").replaceChildren(head, element("tbody", "", ...clear, ...between, ...unclear, ...guessed, ...strange));
  if (held) byId("mistakes").querySelector(`[data-decision="${held}"]`)?.focus({ preventScroll: true });
}

function sentenceRow(words) {
  const row = element("tr", "note", element("td", "", words));
  row.firstChild.colSpan = 9;
  return row;
}

function mistakeRow(one, jump) {
  const button = element("button", "", String(one.hand));
  button.type = "button";
  button.dataset.decision = `${one.hand}-${one.place}`;
  button.setAttribute("aria-label", `hand ${one.hand}, ${one.street}: show this decision`);
  const error = element("span", "note", errorWords(one.lost_error, one.bot.digits));
  const line = element("tr", "",
    element("td", "number", lostView(one), error), element("td", "", button), element("td", "", one.street), element("td", "wide", one.position),
    element("td", "", ...cardWords(splitCards(one.bot.hole_cards))), element("td", "wide", ...cardWords(splitCards(one.bot.board))),
    element("td", "", one.taken), element("td", "", one.best ?? ""), element("td", "number wide", `${Math.round(100 * one.bot_frequency)} %`));
  if (one.lost !== null) line.dataset.lost = one.lost;
  line.addEventListener("click", () => jump(one.hand, one.place));
  return line;
}

function showSummary(message) {
  const digits = digitsOf([...decisions.values()].flat().filter(Boolean));
  const part = (title, totals) => {
    const rows = Object.entries(totals).map(([name, total]) => element("tr", "",
      element("td", "", name), element("td", "number", total.measured < total.decisions ? `${total.decisions}, ${total.measured} counted` : `${total.decisions}`),
      element("td", "number", total.measured ? `${chipWords(total.chips, digits)}${errorWords(total.error, digits)}` : "–")));
    const head = element("thead", "", element("tr", "", element("th", "", title), element("th", "number", "Decisions"), element("th", "number", "Chips lost")));
    return element("div", "", element("table", "rows still", head, element("tbody", "", ...rows)));
  };
  const rest = message.not_counted_words ? [element("p", "note", message.not_counted_words)] : [];
  byId("summary").replaceChildren(part("Street", { ...message.by_street, "in all": message.lost }), part("Position", message.by_position), ...rest);
}
