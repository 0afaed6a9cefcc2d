// The play page: shows what the server says of the table, and answers its questions.
import { card, cardBack, cardWords, chips, element, percent, signed, splitCards } from "./cards.js";

const byId = (id) => document.getElementById(id);
const felt = byId("felt");
const PAUSES = { deal: 250, BoardDealt: 550, CardsShown: 650, PotAwarded: 350, UncalledBetReturned: 200 };
const ACTION_PAUSE = 420;
const AT_ONCE = matchMedia("(prefers-reduced-motion: reduce)");
const YOUR_TURN = "Your turn";

let socket = null;
let game = null; // the welcome message
let question = null; // the open question: a turn, or what to do after a hand
let answered = false; // whether it has its answer, and only the table's next message is missing
let waiting = []; // messages that are shown one after the other
let showing = false;
let results = [0];
let leaving = false;

function connect() {
  waiting = [];
  question = null;
  leaving = false;
  say("");
  byId("again").hidden = true;
  showWaiting("the bot takes its seat…");
  setTimeout(() => {
    const words = byId("waiting-words");
    if (words.textContent === "the bot takes its seat…") words.textContent = "the bot takes its seat; the first time here, it compiles for a minute or two…";
  }, 5000);
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play`);
  socket.onmessage = (event) => {
    waiting.push(JSON.parse(event.data));
    showNext();
  };
  socket.onclose = () => waiting.push({ type: "closed" }) && showNext();
}

function answer(line) {
  if (!question || answered || socket.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ question: question.question, line }));
}

function openQuestion(message) {
  question = message;
  answered = false;
}

// Messages are shown at a pace that eyes can follow; the server does not wait for that.
function showNext() {
  if (showing || !waiting.length) return;
  const message = waiting.shift();
  handlers[message.type](message);
  const pause = message.type === "table" && !document.hidden && !AT_ONCE.matches ? pauseAfter(message) : 0;
  showing = true;
  setTimeout(() => {
    showing = false;
    showNext();
  }, pause);
}

function pauseAfter(message) {
  const own = message.log[0]?.words.startsWith("you ");
  return own && !(message.event in PAUSES) ? 120 : PAUSES[message.event] ?? ACTION_PAUSE;
}

const handlers = {
  welcome(message) {
    game = message;
    results = [0];
    felt.dataset.seats = message.seats;
    byId("game").textContent = `${message.seats} seats · blinds ${message.small_blind}/${message.big_blind}`;
    byId("advice-panel").hidden = !message.advice;
    showResult(0, 0);
  },
  table(message) {
    byId("waiting").hidden = true;
    closeQuestion();
    if (message.event === "deal") {
      say("");
      byId("advice").replaceChildren();
    }
    showTable(message);
    logLines(message);
  },
  turn(message) {
    openQuestion(message);
    say(YOUR_TURN);
    document.querySelector(".seat.you")?.classList.add("active");
    openControls(message);
    if (byId("always").checked && game.advice) answer("w");
  },
  over(message) {
    openQuestion(message);
    results.push(message.total);
    showResult(message.total, message.hands);
    const outcome = message.won ? `${message.won > 0 ? "You win" : "You lose"} ${chips(Math.abs(message.won))} this hand` : "You neither win nor lose";
    say(outcome, message.won > 0 ? "good" : message.won < 0 ? "bad" : "");
    const line = element("p", `outcome ${message.won > 0 ? "good" : message.won < 0 ? "bad" : ""}`, `${signed(message.won)} chips`);
    byId("log").append(line);
    scrollLog();
    for (const id of ["fold", "call", "raise"]) byId(id).hidden = true;
    byId("next").hidden = false;
    byId("ask").disabled = false;
  },
  advice(message) {
    byId("advice").replaceChildren(...message.decisions.map(decisionView));
  },
  told(message) {
    say(message.text, "refused");
    if (question?.type === "turn" && answered) openControls(question); // it was not allowed: the question is open again
    answered = false;
  },
  help(message) {
    say(message.text.trim().split("\n").map((line) => line.replace(/\s+/g, " ")).join(" · "));
  },
  closed() {
    closeQuestion();
    const told = byId("told").classList.contains("refused") ? byId("told").textContent : "the server has ended, or is not there";
    showWaiting(leaving ? "you left the table" : told, true);
    byId("again").hidden = false;
    byId("waiting").scrollIntoView({ block: "nearest" });
  },
};

function showWaiting(words, still = false) {
  byId("waiting").hidden = false;
  byId("waiting").classList.toggle("still", still);
  byId("waiting-words").textContent = words;
}

function say(words, kind = "") {
  byId("told").className = `told ${kind}`;
  byId("told").textContent = words;
}

// The table

function showTable(message) {
  const slots = 5 - message.board.length;
  byId("board").replaceChildren(...message.board.map(card), ...Array.from({ length: slots }, () => element("span", "card slot")));
  byId("pot").hidden = !message.pot;
  byId("pot").replaceChildren(element("span", "street", message.street), `pot ${chips(message.pot)}`);
  felt.querySelectorAll(".seat, .bet").forEach((old) => old.remove());
  message.seats.forEach((seat, number) => {
    const place = placeOf(number, message.seats.length);
    felt.append(...[seatView(seat, number), ...(seat.bet ? [element("div", "bet", chips(seat.bet))] : [])].map((made) => {
      made.style.setProperty("--cos", place.cos);
      made.style.setProperty("--sin", place.sin);
      return made;
    }));
  });
}

function placeOf(number, seats) {
  // The person sits at the bottom, the others follow clockwise.
  const angle = Math.PI / 2 + (2 * Math.PI * (number - game.you)) / seats;
  return { cos: Math.cos(angle).toFixed(4), sin: Math.sin(angle).toFixed(4) };
}

function seatView(seat, number) {
  const you = number === game.you;
  const classes = ["seat", you && "you", !seat.live && "folded", seat.won && "winner"].filter(Boolean).join(" ");
  const hole = element("div", "hole", ...(seat.cards.length ? seat.cards.map(card) : seat.live ? [cardBack(), cardBack()] : []));
  const who = element("div", "who", seat.name, element("em", "", seat.position));
  const plate = element("div", "plate", who, element("div", "stack", chips(seat.stack)));
  if (seat.button) {
    const dealer = element("span", "dealer", "D");
    dealer.title = "the button";
    plate.append(dealer);
  }
  return element("div", classes, hole, plate, element("div", "last", seat.won ? `wins ${chips(seat.won)}` : seat.last));
}

// The log

function logLines(message) {
  const log = byId("log");
  if (message.event === "deal") log.append(element("h3", "", `Hand ${message.hand}`));
  for (const line of message.log) {
    const words = element("p", message.event === "BoardDealt" ? "street-line" : "", line.words, ...cardWords(line.cards));
    if (line.remark) words.append(` (${line.remark})`);
    log.append(words);
  }
  scrollLog();
}

function scrollLog() {
  const log = byId("log");
  while (log.childElementCount > 600) log.firstElementChild.remove();
  log.scrollTop = log.scrollHeight;
}

function showResult(total, hands) {
  const blinds = total / game.big_blind;
  byId("total").textContent = `${signed(blinds, 1)} bb`;
  byId("total").className = `number ${total > 0 ? "good" : total < 0 ? "bad" : ""}`;
  byId("hands").textContent = hands;
  const curve = byId("curve");
  curve.replaceChildren();
  if (results.length < 2) return;
  const low = Math.min(...results), high = Math.max(...results);
  const y = (value) => 37 - (34 * (value - low)) / (high - low || 1);
  const points = results.map((value, at) => `${(120 * at) / (results.length - 1)},${y(value)}`).join(" ");
  for (const [name, values] of [["line", { x1: 0, x2: 120, y1: y(0), y2: y(0), stroke: "var(--rule)" }], ["polyline", { points, fill: "none", stroke: "var(--accent)", "stroke-width": 2 }]]) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    made.setAttribute("vector-effect", "non-scaling-stroke");
    curve.append(made);
  }
}

// What the bot would do

function decisionView(decision) {
  const board = splitCards(decision.board);
  const head = element("div", "head", element("b", "", decision.street), ...cardWords(splitCards(decision.hole_cards)));
  if (board.length) head.append("on", ...cardWords(board));
  const options = decision.actions.map((option) => {
    const row = element("div", option.action === decision.chosen.action ? "option chosen" : "option");
    const bar = element("span", "bar");
    bar.style.width = `${100 * option.frequency}%`;
    bar.style.background = option.colour;
    const error = option.ev_standard_error ? ` ± ${option.ev_standard_error.toFixed(0)}` : "";
    row.append(
      bar,
      element("span", "", option.action),
      element("span", "", percent(option.frequency)),
      element("span", "worth", option.ev === null ? "" : `${signed(Math.round(option.ev))}${error}`),
    );
    return row;
  });
  const how = decision.method + (decision.iterations ? `, ${chips(decision.iterations)} iterations` : "");
  const made = element("div", "decision", head, ...options);
  if (decision.taken) made.append(element("p", "taken", `you: ${decision.taken}`));
  const note = decision.note ? `; ${decision.note}` : "";
  made.append(element("p", "note", `${how}${note}; worth in chips: ${decision.ev_source}`));
  return made;
}

// Answers

function openControls(turn) {
  byId("next").hidden = true;
  for (const id of ["fold", "call", "raise"]) byId(id).hidden = false;
  byId("fold").disabled = !turn.can_fold;
  byId("call").disabled = false;
  byId("call").firstChild.textContent = turn.to_call ? `Call ${chips(turn.to_call)}` : "Check";
  byId("ask").disabled = false;
  const possible = turn.min_raise_to !== null;
  byId("raise").disabled = !possible;
  byId("sizes").classList.toggle("off", !possible);
  if (possible) setAmount(turn.sizes.half_pot);
  else byId("raise").firstChild.textContent = "Raise";
}

function closeQuestion() {
  question = null;
  closeControls();
  if (byId("told").textContent === YOUR_TURN) say("");
}

function closeControls() {
  byId("next").hidden = true;
  byId("ask").disabled = true;
  byId("sizes").classList.add("off");
  for (const id of ["fold", "call", "raise"]) {
    byId(id).hidden = false;
    byId(id).disabled = true;
  }
}

// The slider is logarithmic: small bets need fine steps, large ones do not.
function setAmount(wanted, moveSlider = true) {
  if (question?.type !== "turn" || question.min_raise_to === null) return;
  const { min_raise_to: least, max_raise_to: most } = question;
  const amount = Math.min(Math.max(Math.round(wanted) || least, least), most);
  byId("amount").value = amount;
  byId("amount-blinds").textContent = `${+(amount / game.big_blind).toFixed(1)} bb`;
  if (moveSlider) byId("slider").value = most > least ? (1000 * Math.log(amount / least)) / Math.log(most / least) : 1000;
  const verb = amount === most ? "All-in" : question.bet_is_raise ? "Raise to" : "Bet";
  byId("raise").firstChild.textContent = `${verb} ${chips(amount)}`;
}

function sliderAmount() {
  if (question?.type !== "turn" || question.min_raise_to === null) return 0;
  const { min_raise_to: least, max_raise_to: most } = question;
  const share = byId("slider").value / 1000;
  if (share >= 1) return most;
  if (share <= 0) return least;
  const step = Math.max(1, Math.round(game.big_blind / 10));
  return Math.round((least * (most / least) ** share) / step) * step;
}

function act(line, type = "turn") {
  if (question?.type !== type) return;
  answer(line);
  answered = true;
  closeControls();
}

// Chips as somebody types them: 1500, 1,500 or 15bb; null if it is anything else.
function typedAmount() {
  const found = byId("amount").value.replaceAll(",", "").trim().match(/^(\d+(?:\.\d+)?)\s*(bb)?$/i);
  return found && Number(found[1]) * (found[2] ? game.big_blind : 1);
}

byId("fold").onclick = () => act("f");
byId("call").onclick = () => act("c");
byId("raise").onclick = () => act(`r ${byId("amount").value}`);
byId("next").onclick = () => act("", "over");
byId("ask").onclick = () => answer("w");
byId("leave").onclick = () => {
  leaving = true;
  socket.close(); // the server plays the hand to its end, whatever it is waiting for
};
byId("again").onclick = connect;
byId("slider").oninput = () => setAmount(sliderAmount(), false);
byId("amount").onchange = () => setAmount(typedAmount() ?? sliderAmount());
for (const button of document.querySelectorAll("[data-size]")) {
  button.onclick = () => {
    if (question?.type !== "turn") return;
    setAmount(button.dataset.size === "min" ? question.min_raise_to : question.sizes[button.dataset.size]);
  };
}
byId("always").checked = localStorage.getItem("advice at every turn") === "yes";
byId("always").onchange = () => {
  localStorage.setItem("advice at every turn", byId("always").checked ? "yes" : "no");
  if (byId("always").checked && question?.type === "turn") answer("w");
};

const KEYS = { f: "fold", c: "call", k: "call", r: "raise", b: "raise", w: "ask", n: "next", Enter: "next", " ": "next" };
const SIZE_KEYS = { m: "min", h: "half_pot", p: "pot", a: "all_in" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.id === "amount";
  if (typing && event.key === "Enter") {
    const understood = typedAmount() !== null;
    byId("amount").blur();
    if (understood) byId("raise").click();
    else say("chips are a number, such as 600 or 6bb", "refused");
    event.preventDefault();
    return;
  }
  if (typing) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "?") say("f fold · c check or call · r bet or raise · m h p a smallest, half pot, pot, all-in · ← → size · w what the bot would do · Enter next hand");
  else if (key in SIZE_KEYS) document.querySelector(`[data-size=${SIZE_KEYS[key]}]`).click();
  else if ((key === "ArrowLeft" || key === "ArrowRight") && event.target.id !== "slider" && question?.type === "turn") {
    byId("slider").value = Number(byId("slider").value) + (key === "ArrowLeft" ? -25 : 25);
    byId("slider").oninput();
  } else if (key in KEYS && event.repeat) {
    // A key that is held down answers one question, not those that follow.
  } else if (key in KEYS) {
    const button = byId(KEYS[key]);
    if ((key === "Enter" || key === " ") && (button.hidden || event.target.closest("button, a, input"))) return;
    if (!button.hidden && !button.disabled) button.click();
  } else return;
  event.preventDefault();
});

// What was clicked does not keep the keyboard, so that Enter goes on meaning the next hand.
document.addEventListener("click", (event) => {
  if (event.detail && event.target.id !== "amount") document.activeElement?.blur();
});

connect();
