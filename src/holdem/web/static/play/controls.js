// Answers to the open question: buttons, the size of a bet, the keyboard.
import { byId, chips } from "../widgets/cards.js";
import { keysAreOn, useKeySwitch } from "../widgets/shortcuts.js";

const MOVES = ["fold", "call", "raise"];
const KEYS = { f: "fold", c: "call", k: "call", r: "raise", b: "raise", w: "ask", n: "next", Enter: "next", " ": "next" };
const SIZE_KEYS = { m: "min", h: "half_pot", p: "pot", a: "all_in" };
export const KEY_WORDS = "f fold · c check or call · r bet or raise · m h p a smallest, half pot, pot, all-in · ← → size · w what the bot would do · Enter next hand";

let open = null; // the open question: a turn, or what to do after a hand
let answered = false; // whether it has its answer, and only the table's next message is missing
let send = () => {};
let say = () => {};
let bigBlind = 1;
let pressed = null; // the move that was made with the keyboard, which has it again at the next turn

// `sender(answer)` sends, `sayer(words, kind)` shows a sentence.
export function startControls(sender, sayer) {
  send = sender;
  say = sayer;
}

export const setBigBlind = (chipsOfIt) => { bigBlind = chipsOfIt; };
export const openType = () => open?.type;

export function openQuestion(message) {
  open = message;
  answered = false;
  if (message.type === "turn") openTurn(message);
  else openNext();
  takeKeyboard();
}

// What was answered is not allowed: the question is open again.
export function reopenQuestion() {
  if (open && answered) openQuestion(open);
}

export function closeQuestion() {
  open = null;
  closeControls();
}

export function ask(line) {
  if (open && !answered) send({ question: open.question, line });
}

// The keyboard stays at the moves: on the group of them while nobody asks, then on the move that was made, or on what
// comes next. After a new deal it stays on the group, so that a key pressed twice does not make a move.
function keepKeyboard() {
  if (!byId("moves").contains(document.activeElement) || document.activeElement === byId("moves")) return;
  pressed = document.activeElement;
  byId("moves").focus();
}

function takeKeyboard() {
  if (document.activeElement !== byId("moves")) return;
  const usable = [byId("next"), pressed].find((button) => button && !button.hidden && !button.disabled);
  usable?.focus();
}

function act(line, type = "turn") {
  if (open?.type !== type || answered) return;
  ask(line);
  answered = true;
  closeControls();
}

function openTurn(turn) {
  showMoves(true);
  byId("fold").disabled = !turn.can_fold;
  byId("call").disabled = false;
  byId("call").firstChild.textContent = turn.to_call ? `Call ${chips(turn.to_call)}` : "Check";
  byId("ask").disabled = false;
  const possible = turn.min_raise_to !== null;
  byId("raise").disabled = !possible;
  openSizes(possible);
  if (possible) setAmount(turn.sizes.half_pot);
  else byId("raise").firstChild.textContent = "Raise";
}

function openNext() {
  showMoves(false);
  byId("ask").disabled = false;
}

function closeControls() {
  keepKeyboard();
  showMoves(true);
  byId("ask").disabled = true;
  openSizes(false);
  for (const id of MOVES) byId(id).disabled = true;
}

function showMoves(moves) {
  for (const id of MOVES) byId(id).hidden = !moves;
  byId("next").hidden = moves;
}

// Whoever comes by with the Tab key does not stop at what cannot be used.
function openSizes(possible) {
  byId("sizes").classList.toggle("off", !possible);
  for (const input of byId("sizes").querySelectorAll("input, button")) input.disabled = !possible;
}

const mayBet = () => open?.type === "turn" && open.min_raise_to !== null;

// The slider is logarithmic: small bets need fine steps, large ones do not.
function setAmount(wanted, moveSlider = true) {
  if (!mayBet()) return;
  const { min_raise_to: least, max_raise_to: most } = open;
  const amount = Math.min(Math.max(Math.round(wanted) || least, least), most);
  byId("amount").value = amount;
  if (byId("amount").ariaInvalid === "true") say("");
  byId("amount").ariaInvalid = "false";
  byId("amount-blinds").textContent = `${+(amount / bigBlind).toFixed(1)} bb`;
  byId("slider").setAttribute("aria-valuetext", `${chips(amount)} chips`);
  if (moveSlider) byId("slider").value = most > least ? (1000 * Math.log(amount / least)) / Math.log(most / least) : 1000;
  const verb = amount === most ? "All-in" : open.bet_is_raise ? "Raise to" : "Bet";
  byId("raise").firstChild.textContent = `${verb} ${chips(amount)}`;
}

function sliderAmount() {
  if (!mayBet()) return 0;
  const { min_raise_to: least, max_raise_to: most } = open;
  const share = byId("slider").value / 1000;
  if (share >= 1) return most;
  if (share <= 0) return least;
  const step = Math.max(1, Math.round(bigBlind / 10));
  return Math.round((least * (most / least) ** share) / step) * step;
}

// Chips as somebody types them: 1500, 1,500 or 15bb; null if it is anything else.
function typedAmount() {
  const found = byId("amount").value.trim().match(/^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(bb)?$/i);
  return found && Math.round(Number(found[1].replaceAll(",", "") + (found[2] ?? "")) * (found[3] ? bigBlind : 1));
}

// Takes the number in the field for the size of the bet. One that cannot be bet stays there, with a sentence: a number
// that somebody mistyped is never made into another one, and never sent.
function takeTyped() {
  if (!mayBet()) return false;
  const { min_raise_to: least, max_raise_to: most } = open;
  const amount = typedAmount();
  if (amount !== null && least <= amount && amount <= most) {
    setAmount(amount);
    return true;
  }
  byId("amount").ariaInvalid = "true";
  byId("amount-blinds").textContent = "";
  byId("raise").firstChild.textContent = open.bet_is_raise ? "Raise" : "Bet";
  say(amount === null ? "chips are a number, such as 600 or 6bb" : `${chips(amount)} is not possible; raise to ${chips(least)} up to ${chips(most)}`, "refused");
  return false;
}

useKeySwitch(byId("keys"));
// The second click of a double click would answer the next question, which may be there by then.
const onFirstClick = (answer) => (event) => event.detail < 2 && answer();
byId("fold").onclick = onFirstClick(() => act("f"));
byId("call").onclick = onFirstClick(() => act("c"));
byId("raise").onclick = onFirstClick(() => takeTyped() && act(`r ${byId("amount").value}`));
byId("next").onclick = onFirstClick(() => act("", "over"));
byId("ask").onclick = () => ask("w");
byId("slider").oninput = () => setAmount(sliderAmount(), false);
byId("amount").onchange = takeTyped;
for (const button of document.querySelectorAll("[data-size]")) {
  button.onclick = () => {
    if (open?.type !== "turn") return;
    setAmount(button.dataset.size === "min" ? open.min_raise_to : open.sizes[button.dataset.size]);
  };
}

function typedEnter(event) {
  event.preventDefault();
  if (!takeTyped()) return; // the keyboard stays at the number
  byId("amount").blur();
  byId("raise").click();
}

function moveSlider(step) {
  byId("slider").value = Number(byId("slider").value) + step;
  byId("slider").oninput();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target;
  if (target.id === "amount" && event.key === "Enter") return typedEnter(event);
  if (target.id === "amount" || target.closest("select, textarea")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key.length === 1 && key !== " " && !keysAreOn()) return;
  if (key === "?") say(KEY_WORDS);
  else if (key in SIZE_KEYS) document.querySelector(`[data-size=${SIZE_KEYS[key]}]`).click();
  else if (key === "ArrowLeft" || key === "ArrowRight") {
    if (target.id === "slider" || open?.type !== "turn") return;
    moveSlider(key === "ArrowLeft" ? -25 : 25);
  } else if (key in KEYS && event.repeat) {
    // A key that is held down answers one question, not those that follow.
  } else if (key in KEYS) {
    const button = byId(KEYS[key]);
    if ((key === "Enter" || key === " ") && (button.hidden || target.closest("button, a, input, summary"))) return;
    if (!button.hidden && !button.disabled) button.click();
  } else return;
  event.preventDefault();
});

// What was clicked with a mouse does not keep the keyboard, so that Enter goes on meaning the next hand.
document.addEventListener("click", (event) => {
  if (event.detail && !event.target.closest("#amount, dialog, select")) document.activeElement?.blur();
});
