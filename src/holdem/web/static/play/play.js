// The play page: shows what the server says of the table, and answers its questions.
import { byId, chips, percent, signed } from "../widgets/cards.js";
import { decisionView } from "../widgets/coach.js";
import { showFelt } from "../widgets/felt.js";
import { showHeader } from "../widgets/header.js";
import { playSound } from "../widgets/sound.js";
import { drawSparkline } from "../widgets/sparkline.js";
import { ofBrowser } from "../widgets/storage.js";
import { chosenOptions, Connection } from "./connection.js";
import { ask, closeQuestion, openQuestion, openType, reopenQuestion, setBigBlind, startControls } from "./controls.js";
import { addHand, clearLog, logNote, logOutcome, logTable, showHands } from "./log.js";
import { chooseTable } from "./table_dialog.js";

const PAUSES = { deal: 250, BoardDealt: 550, CardsShown: 650, PotAwarded: 350, UncalledBetReturned: 200 };
const ACTION_PAUSE = 420;
const AT_ONCE = matchMedia("(prefers-reduced-motion: reduce)");
const YOUR_TURN = "Your turn";
const BETWEEN_HANDS = "another table can be chosen when this hand is over, or when you have left";
const SITTING_DOWN = "the bot takes its seat…";

let game = null; // the welcome message
let waiting = []; // messages that are shown one after the other
let showing = false;
let results = [0];
let toldWaiting = []; // sentences of the wait for the table, which the log gets when it is over

const connection = new Connection({
  message: show,
  connecting(tries) {
    waiting = [];
    toldWaiting = [];
    closeQuestion();
    if (!tries) say("");
    byId("again").hidden = byId("choose").hidden = true;
    showWaiting(tries ? "the connection was lost; trying again…" : SITTING_DOWN);
  },
  lost: (seconds, tries, ended) => show({ type: "lost", seconds, tries, ended }),
  closed: (left) => show({ type: "closed", left }),
});

function show(message) {
  waiting.push(message);
  showNext();
}

// Messages are shown at a pace that eyes can follow; the server does not wait for that.
function showNext() {
  if (showing || !waiting.length) return;
  const message = waiting.shift();
  handlers[message.type](message);
  const slowly = message.type === "table" && !message.again && !document.hidden && !AT_ONCE.matches;
  showing = true;
  setTimeout(() => {
    showing = false;
    showNext();
  }, slowly ? pauseAfter(message) : 0);
}

function pauseAfter(message) {
  const own = message.log[0]?.words.startsWith("you ");
  return own && !(message.event in PAUSES) ? 120 : PAUSES[message.event] ?? ACTION_PAUSE;
}

const handlers = {
  welcome(message) {
    game = message;
    results = [0];
    setBigBlind(message.big_blind);
    byId("game").textContent = `${message.seats} seats · blinds ${message.small_blind}/${message.big_blind}`;
    byId("advice-panel").hidden = !message.advice;
    byId("advice").replaceChildren();
    clearLog();
    if (message.policy) logNote(`policy: ${message.policy}`);
    if (!byId("waiting").hidden) showWaiting(SITTING_DOWN);
    showHands([], message.history);
    showResult(0, 0);
  },
  hands(message) {
    for (const hand of message.hands) results.push(results.at(-1) + hand.won);
    showHands(message.hands, game.history);
    results = results.map((total) => total + message.total - results.at(-1)); // the list may have lost its oldest hands
    showResult(message.total, message.played);
  },
  table(message) {
    byId("waiting").hidden = true;
    toldWaiting.splice(0).forEach(logNote);
    closeQuestion();
    offerTables(false);
    byId("equity").textContent = "";
    if (message.event === "deal") {
      byId("advice").replaceChildren();
      sound(message, "deal");
    }
    if (message.event === "deal" || byId("told").textContent === YOUR_TURN) say("");
    showFelt(byId("felt"), message, game.you);
    logTable(message);
  },
  turn(message) {
    openQuestion(message);
    if (!message.again) byId("advice").replaceChildren(); // it was of the question before
    say(YOUR_TURN);
    document.querySelector(".seat.you")?.classList.add("active");
    sound(message, "turn");
    if (byId("always").checked && game.advice && !byId("advice").hasChildNodes()) ask("w"); // a page that comes back may have it
    if (byId("show-equity").checked && !byId("equity").textContent) ask("e");
  },
  over(message) {
    openQuestion(message);
    if (!message.again) byId("advice").replaceChildren();
    offerTables(true);
    if (!message.again) {
      results.push(message.total);
      addHand(message.kept, game.history);
    }
    showResult(message.total, message.hands);
    const kind = message.won > 0 ? "good" : message.won < 0 ? "bad" : "";
    say(message.won ? `${message.won > 0 ? "You win" : "You lose"} ${chips(Math.abs(message.won))} this hand` : "You neither win nor lose", kind);
    logOutcome(message.won);
    if (message.won) sound(message, message.won > 0 ? "won" : "lost");
  },
  advice(message) {
    byId("advice").replaceChildren(...message.decisions.map((one) => decisionView(one)));
  },
  equity(message) {
    const error = `± ${(100 * message.error).toFixed(1)}`;
    byId("equity").textContent = `Your hand wins ${percent(message.share)} ${error} ${message.against}.`;
  },
  told(message) {
    if (byId("waiting").hidden) {
      say(message.text, "refused");
      if (!openType()) logNote(message.text);
    } else {
      toldWaiting.push(message.text);
      showWaiting(message.text);
    }
    reopenQuestion();
  },
  help(message) {
    say(message.text.trim().split("\n").map((line) => line.replace(/\s+/g, " ")).join(" · "));
  },
  lost(message) {
    closeQuestion();
    const what = message.ended ? "the server has ended" : message.tries > 3 ? "the server does not answer" : "the connection is lost; your seat waits for a minute";
    showWaiting(`${what}; trying again in ${message.seconds} s…`);
  },
  closed(message) {
    closeQuestion();
    const refused = byId("told").classList.contains("refused") ? byId("told").textContent : "";
    const told = toldWaiting.at(-1) || refused || "the table is closed";
    showWaiting(message.left ? "you left the table" : told, true);
    byId("again").hidden = byId("choose").hidden = false;
    byId("again").focus();
  },
};

// Another table can be chosen between hands; the button says why not at other times.
function offerTables(now) {
  byId("table").setAttribute("aria-disabled", !now);
  byId("table").title = now ? "" : BETWEEN_HANDS;
}

function showWaiting(words, still = false) {
  if (byId("told").textContent === YOUR_TURN) say("");
  offerTables(true);
  byId("waiting").hidden = false;
  byId("waiting").classList.toggle("still", still);
  byId("waiting-words").textContent = words;
}

function say(words, kind = "") {
  byId("told").className = `told ${kind}`;
  byId("told").textContent = words;
}

function sound(message, name) {
  if (byId("sounds").checked && !message.again) playSound(name);
}

function showResult(total, hands) {
  byId("total").textContent = `${signed(total / game.big_blind, 1)} bb`;
  byId("total").className = `number ${total > 0 ? "good" : total < 0 ? "bad" : ""}`;
  byId("hands").textContent = hands;
  drawSparkline(byId("curve"), results);
}

// A choice that this browser remembers; `chosen` is called when it is switched on.
function remember(id, name, chosen) {
  const box = byId(id);
  box.checked = ofBrowser.get(name) === "yes";
  box.onchange = () => {
    ofBrowser.set(name, box.checked ? "yes" : "no");
    if (box.checked) chosen();
  };
}

async function chooseAndSit() {
  if (byId("waiting").hidden && openType() !== "over") {
    say(BETWEEN_HANDS, "refused");
    return;
  }
  const options = await chooseTable(chosenOptions()).catch((error) => say(error.message, "refused"));
  if (options) connection.sitDown(options);
}

const QUESTIONS = ["w", "e"]; // what the bot would do, how often the hand wins: found in their own time
startControls((answer) => connection.open && connection.send(answer, !QUESTIONS.includes(answer.line)), say);
remember("always", "advice at every turn", () => openType() === "turn" && ask("w"));
remember("show-equity", "equity at every turn", () => openType() === "turn" && ask("e"));
remember("sounds", "sounds", () => playSound("turn"));
byId("leave").onclick = () => connection.leave();
byId("again").onclick = () => connection.connect();
byId("choose").onclick = byId("table").onclick = chooseAndSit;
showHeader();
connection.connect();
