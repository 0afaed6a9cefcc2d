// The Solve room: a spot is asked, a worker of the server solves it, and its tree is walked.
import { byId, getJson } from "../widgets/cards.js";
import { pickCards } from "../widgets/card_picker.js";
import { showHeader } from "../widgets/header.js";
import { showWalker } from "../widgets/tree_walker.js";
import { Connection, GONE, LONGEST_SPOT } from "./connection.js";
import { Course } from "./course.js";
import { Estimate } from "./estimate.js";
import { useFiles } from "./files.js";
import { lockThatFits, showLocks } from "./locks.js";
import { NodeView } from "./node_view.js";
import { Settings } from "./settings.js";
import { LOCKS_GONE, SpotForm } from "./spot_form.js";

const LEAST_TARGET = 0.001; // in per cent of the pot: nobody plays finer, and numbers of 32 bits hardly count finer
const USUAL_TARGET = 0.5; // of a solve without any limit, as the server has it

const SAVES = "the solution that is shown, as holdem solve --save writes it";
const SAVES_NONE = "a Fast solve cannot be saved; choose Exact";
const EXACT_ON_RIVER = "a river is solved with Exact: it has no later street that Fast could shorten";
const FLOP_CARDS = 3, RIVER_CARDS = 5;
const SCALED = "weights are scaled so that the most likely hand of each range has 100 %";

const TWICE = 400; // ms: who presses Enter again so soon has not seen what the button says by now

const room = {
  asked: false, // whether a start, a going on or a file waits for its answer
  beginning: false, // whether that is a start or a file, which can be given up until the answer comes
  running: false, // from that answer to the end of the solve
  stopping: false, // from a click on Stop to its answer, which comes after an iteration and a measurement
  solved: null, // "exact" or "groups" where there is a solution
  spot: null, // what was solved last, as text
  other: false, // whether the form has another spot by now
  refused: false, // whether the estimate says that the form's spot cannot be solved
  exploitability: null,
  path: [], // where the page is in the tree, or wants to be after the solve
  node: null,
};

const say = (words) => (byId("told").textContent = words);
const unsay = (words) => byId("told").textContent === words && say("");
const tried = (work) => async (...given) => {
  try {
    say("");
    return await work(...given);
  } catch (error) {
    if (error.solved === false) forget();
    if (!room.refused || byId("estimate").textContent !== error.message) say(error.message); // once is enough
  }
};

// One thing at a time is asked of the solver, and while it solves nothing is.
const isBusy = () => room.asked || room.running;

async function alone(work) {
  room.asked = true;
  showButtons();
  try {
    return await work();
  } finally {
    room.asked = false;
    showButtons();
  }
}

// Until the server has begun, which can take minutes where it has to compile first, the button that stops gives it up.
async function cancellable(asking) {
  [room.beginning, room.beganAt] = [true, performance.now()];
  showButtons();
  return asking.finally(() => (room.beginning = false));
}

// Of a button: whoever clicks twice has asked once.
const once = (work) => {
  const asking = tried(() => alone(work));
  return () => (isBusy() ? null : asking());
};

// What the server says

let toldMeanwhile = ""; // until the solve begins

const hear = {
  welcome(message) {
    for (const painter of Object.values(form.painters)) painter.tools.setPresets(message.presets);
    byId("examples").replaceChildren(new Option("Choose…", ""), ...message.spots.map(({ name }, at) => new Option(name, at)));
    byId("examples").onchange = tried(() => {
      newest();
      return byId("examples").value && form.load(message.spots[byId("examples").value].spot);
    });
    const chosen = byId("policy").value || fromAddress.get("policy");
    byId("policy").replaceChildren(...message.policies.map((name) => new Option(name, name, false, name === chosen)));
    for (const id of ["policy", "line", "whole", "only-ranges"]) byId(id).disabled = !message.policies.length;
    if (byId("told").textContent === GONE) say("the server is there again; Start solves the spot");
    estimate.now();
  },
  told: (message) => say((toldMeanwhile = message.text)),
  progress: (message) => course.add(message),
  exact: (message) => course.exact(message),
  refused: (message) => say(message.text),
  ended(message) {
    lost(message.text);
    estimate.now(); // its answer may have been dropped with the others
  },
  stopped(message) {
    if (room.asked) return; // it is of the solve before
    say("");
    room.exploitability = message.exploitability;
    course.stop(message);
    setRunning(false);
    const arrive = tried(() => walk(room.path).catch(() => walk([]))); // another tree may have no such way
    arrive().finally(() => isBusy() || setBusy(false)); // another solve may have been asked for meanwhile
  },
};

function lost(words) {
  say(words);
  forget();
}

// Nothing is solved any more; the spot is there.
function forget() {
  room.solved = room.node = null;
  course.begin();
  course.showFigures([]);
  nodeView.clear();
  setRunning(false);
  setBusy(false);
  show("spot");
}

// The spot

function spotChanged() {
  const switched = useExactOnRiver(form.board.cards.length);
  if (switched.length) say([LOCKS_GONE, ...switched].slice(byId("told").textContent === LOCKS_GONE ? 0 : 1).join("; "));
  estimate.later();
  showLocks(byId("locks"), form);
  nodeView.showLocks();
  if (form.ready && !loadingLine && location.search) history.replaceState(null, "", location.pathname); // the spot is another now
  compareSpots();
}

// What there is to say of it, in a list.
function useExactOnRiver(cards) {
  if (cards !== RIVER_CARDS || settings.hands === "exact") return [];
  settings.show("exact");
  return [EXACT_ON_RIVER];
}

const cardsOf = ({ board }) => board.split(" ").length;

// Whether the form has another spot than the one that was solved.
function compareSpots() {
  const compared = (other) => {
    room.other = room.spot !== null && other;
    showButtons();
  };
  form.spot().then((spot) => compared(JSON.stringify(spot) !== room.spot), () => compared(true)); // why is told elsewhere
}

// Solving

const start = once(async () => {
  const spot = await form.spot();
  const missing = form.missing(spot);
  if (missing) throw new Error(missing);
  const asked = { spot, hands: settings.hands, ...settings.limits() };
  const before = byId("solution").hidden ? "spot" : "solution";
  const comeBack = course.start();
  setBusy(true);
  byId("solution").classList.add("fresh"); // nothing of another solve is beside the new spot
  show("solution");
  try {
    await cancellable(connection.ask("start", asked));
  } catch (error) {
    comeBack(); // to what was solved before, if it is still there
    setBusy(false);
    show(before);
    throw error;
  }
  unsay(toldMeanwhile);
  room.solved = asked.hands;
  room.node = null;
  course.begin({ hands: asked.hands, cards: cardsOf(spot) });
  if (room.spot && cardsOf(JSON.parse(room.spot)) !== cardsOf(spot)) room.path = []; // a way is one of its street
  setRunning(true, asked.target);
  byId("stop").focus(); // from wherever the solve was started
  solvedIs(spot);
});

function solvedIs(spot) {
  [room.spot, room.other] = [JSON.stringify(spot), false];
  showButtons();
  compareSpots(); // it may have been changed since it was asked
}

// A solve of a file is there; its figures follow.
function opened() {
  room.solved = "exact";
  room.path = [];
  settings.show("exact");
  course.begin();
  show("solution");
}

const goOn = once(async () => {
  const asked = settings.limits();
  if (asked.seconds === null) asked.target ??= USUAL_TARGET;
  if (asked.target !== null && room.exploitability <= asked.target) {
    if (room.exploitability <= LEAST_TARGET) return say(`this is solved: to ${LEAST_TARGET} % of the pot, or better`);
    asked.target = Math.max(LEAST_TARGET, Number((room.exploitability / 2).toPrecision(2))); // the target was reached: half of it is the next
    settings.setTarget(asked.target);
  }
  await connection.ask("go_on", asked);
  setRunning(true, asked.target);
});

const stop = tried(async () => {
  const held = document.activeElement === byId("stop"); // which loses the focus
  const setStopping = (stopping) => {
    room.stopping = stopping;
    showButtons();
  };
  setStopping(true);
  await connection.ask("stop").finally(() => setStopping(false));
  if (held && document.activeElement === document.body) shownOf("start", "stop").focus();
});

function setRunning(running, target = null) {
  room.running = running;
  if (running) setBusy(true);
  if (running) course.run(target);
  else byId("progress").hidden = true;
  showButtons();
}

// From the start of a solve until its node is shown, the last node is dimmed, or out of sight where it is of another.
function setBusy(busy) {
  byId("solution").setAttribute("aria-busy", busy);
  if (!busy) byId("solution").classList.remove("fresh");
}

function showButtons() {
  const there = room.solved !== null && !isBusy();
  const held = ["start", "stop", "go-on"].map(byId).find((button) => button === document.activeElement);
  byId("start").hidden = room.running || room.beginning;
  byId("stop").hidden = !byId("start").hidden;
  const [now, stopping] = room.running ? ["Stop", "Stopping…"] : ["Cancel", "Cancelling…"];
  byId("stop").textContent = room.stopping ? stopping : now;
  byId("stop").disabled = room.stopping;
  byId("go-on").hidden = !there;
  byId("save").disabled = !there || room.solved === "groups";
  byId("save").title = room.solved === "groups" ? SAVES_NONE : SAVES;
  byId("csv").disabled = !there || room.node?.kind !== "decision";
  byId("next-street").hidden = !there || room.node?.kind !== "deal";
  byId("show-solution").disabled = room.solved === null && !isBusy();
  byId("start").disabled = room.refused;
  byId("stale").hidden = !room.other || !there;
  byId("start").textContent = room.solved === null ? "Start" : room.other ? "Solve this spot" : "Solve again";
  if (held?.hidden) shownOf("start", "stop").focus();
}

const shownOf = (...ids) => ids.map(byId).find((button) => !button.hidden);

function show(what) {
  for (const one of ["spot", "solution"]) {
    byId(one).hidden = one !== what;
    byId(`show-${one}`).setAttribute("aria-pressed", one === what);
  }
}

// Walking

let wanted = null; // the way to the node that was asked for last, until it is shown
let walking = null; // a promise of the end of asking

// One node at a time is asked for, however fast a key repeats, and those that are overtaken are not.
async function walk(path) {
  if (isBusy()) return undefined;
  wanted = path;
  return (walking ??= follow().finally(() => (wanted = walking = null)));
}

async function follow() {
  while (wanted) {
    const path = wanted;
    const node = await connection.ask("node", { path: path.join(", ") });
    if (isBusy()) return; // it is of the solve before
    if (path.join() !== wanted.join()) continue;
    wanted = null;
    showNode(path, node);
  }
}

function showNode(path, node) {
  Object.assign(room, { path, node });
  byId("next-street").textContent = `Go on with the ${nextStreet(node)}…`;
  showWalker(byId("steps"), node, tried(walk));
  nodeView.show(node);
  showButtons();
}

const nextStreet = ({ board }) => (board.length === FLOP_CARDS ? "turn" : "river");

// The spot behind a card, with both ranges as they get there, is put into the form.
const goToNextStreet = tried(async () => {
  const { path, node } = room;
  const [card] = (await pickCards(1, node.board)) ?? [];
  if (!card || isBusy()) return;
  const isNewest = newest();
  const { spot } = await connection.ask("next_spot", { path: [...path, card].join(", ") });
  if (!isNewest() || isBusy()) return;
  const dropped = form.locks.length ? [LOCKS_GONE] : [];
  const switched = useExactOnRiver(cardsOf(spot));
  await form.load(spot);
  if (!isNewest() || isBusy()) return;
  show("spot");
  byId("start").focus();
  say([`the ${nextStreet(node)} with both ranges as this solve brings them there`, SCALED, ...dropped, ...switched].join("; "));
});

// `versions` of one lock, the finest first: a lock is as fine as leaves room for some more.
const solveWithLock = tried(async (versions) => {
  const spot = await form.spot();
  if (isBusy()) throw new Error("a solve is running; stop it, then lock");
  if (withoutLocks(spot) !== withoutLocks(JSON.parse(room.spot))) throw new Error("the spot was changed since it was solved; solve it first, then lock");
  const others = form.locks.filter((one) => one.node !== versions[0].node);
  const lock = lockThatFits(versions, LONGEST_SPOT - JSON.stringify({ ...spot, locks: others }).length);
  form.setLocks([...others, lock]);
  await start();
});

const withoutLocks = (spot) => JSON.stringify({ ...spot, locks: undefined });

// Setting up

let loadingLine = false;
let loads = 0; // of spots so far: what comes late of an earlier one does not overwrite a later one

// Another spot is asked for; the function says whether it is still the last one.
function newest() {
  const number = ++loads;
  return () => number === loads;
}

const loadLine = tried(async (policy, line, only) => {
  const isNewest = newest();
  const address = `?${new URLSearchParams({ policy, line })}`;
  const found = await getJson(`/data/line_spot${address}`).catch((error) => {
    if (isNewest()) throw error;
  });
  if (!isNewest()) return;
  loadingLine = !only; // with only its ranges, the spot is another than that of the address
  const cards = only ? 0 : cardsOf(found.spot);
  if (cards === FLOP_CARDS) settings.show("groups"); // exact, a wide flop takes gigabytes
  const switched = useExactOnRiver(cards);
  await form.load(found.spot, only).finally(() => (loadingLine = false));
  if (!isNewest()) return;
  if (!only) history.replaceState(null, "", address);
  say([`taken from ${policy}: OOP is ${found.positions[0]}, IP is ${found.positions[1]}`, ...found.replaced, SCALED, ...switched].join("; "));
});

showHeader();
const fromAddress = new URLSearchParams(location.search);
const form = new SpotForm(spotChanged, say);
const settings = new Settings(() => estimate.now());
const estimate = new Estimate(form, (spot) => connection.ask("estimate", { spot, hands: settings.hands, target: settings.limits().target }), () => settings.limits(), (words, bad) => {
  if (bad) unsay(words);
  room.refused = bad;
  showButtons();
});
const course = new Course(byId("figures"), byId("chart"), byId("about"), byId("progress"));
const nodeView = new NodeView(form, solveWithLock);
const connection = new Connection((message) => hear[message.type]?.(message), lost);
useFiles({ connection, form, tried, say, room, isBusy, alone, cancellable, newest, opened, solvedIs });
nodeView.clear();
byId("start").onclick = start;
byId("stop").onclick = (event) => {
  const again = event.detail === 0 ? room.beginning && performance.now() - room.beganAt < TWICE : event.detail > 1;
  if (!again) stop(); // the second one of two was meant for Start
};
byId("go-on").onclick = goOn;
byId("next-street").onclick = goToNextStreet;
for (const one of ["spot", "solution"]) byId(`show-${one}`).onclick = () => show(one);
byId("from").onsubmit = (event) => {
  event.preventDefault();
  loadLine(byId("policy").value, byId("line").value);
};
byId("only-ranges").onclick = () => loadLine(byId("policy").value, byId("line").value, ["ranges"]);

await tried(() => form.restore())();
if (fromAddress.has("line")) {
  byId("line").value = fromAddress.get("line");
  await loadLine(fromAddress.get("policy") ?? "", fromAddress.get("line"));
}
