// The strategy browser: a place is a policy and a line of betting, and both are in the address of the page.
import { pickCards } from "../widgets/card_picker.js";
import { byId, card, chips, element, getJson, percent, splitCards } from "../widgets/cards.js";
import { showHeader } from "../widgets/header.js";
import { scrollToNow } from "../widgets/tree_walker.js";
import { CompareView } from "./compare_view.js";
import { PlaceView } from "./place_view.js";

let place = null; // what the server said of the place
let seats = {}; // of policies of hold'em: with as many, two can be compared
let requests = 0; // places asked for so far: an answer that a later one has overtaken is not shown
const placeView = new PlaceView();
const compareView = new CompareView();

async function start() {
  try {
    const known = await getJson("/data/policies");
    if (!known.policies.length) return say(`there is no policy under ${known.folder} yet; train one with: holdem train --time-budget 60 --num-workers 0`);
    byId("policy").replaceChildren(...known.policies.map((name) => new Option(name, name)));
    seats = known.seats;
    byId("policy").value = known.played ?? known.policies[0];
    await followAddress();
  } catch (error) {
    say(error.message);
  }
}

async function followAddress() {
  const asked = new URLSearchParams(location.search);
  choose(byId("policy"), asked.get("policy") ?? byId("policy").value);
  offerOthers();
  choose(byId("with"), asked.get("with") ?? "");
  byId("alike").checked = asked.get("reach") === "false";
  await show(asked.get("line") ?? "", false);
}

function choose(select, value) {
  select.value = value;
  if (select.selectedIndex < 0) select.selectedIndex = 0; // a run that is gone
}

// To compare with: the other policies with as many seats.
function offerOthers() {
  const { value: before } = byId("with"), own = byId("policy").value;
  const others = Object.keys(seats).filter((name) => name !== own && seats[name] === seats[own]);
  byId("with").replaceChildren(new Option("nothing", ""), ...others.map((name) => new Option(name, name)));
  choose(byId("with"), before);
}

function address(line) {
  const parts = { policy: byId("policy").value, line };
  if (byId("with").value) parts.with = byId("with").value;
  if (byId("alike").checked) parts.reach = "false";
  return `?${new URLSearchParams(parts)}`;
}

async function show(line, remember = true) {
  const number = ++requests;
  const other = byId("with").value;
  wait(true);
  try {
    const found = await getJson(`/data/${other ? "compare" : "strategy"}${address(line)}`);
    if (number !== requests) return true;
    place = other ? found.here : found;
    if (remember) history.pushState(null, "", address(place.line));
    else history.replaceState(null, "", address(place.line));
    byId("line").value = place.line;
    const replaced = other && found.there ? found.there.replaced.map((words) => `${other}: ${words}`) : [];
    say([...place.replaced, ...replaced, ...(other ? [found.why_not, found.remark] : [])].filter(Boolean).join("; "));
    draw(other && found.difference ? found : null);
    return true;
  } catch (error) {
    if (number !== requests) return true;
    say(error.message);
    return false;
  } finally {
    if (number === requests) wait(false);
  }
}

// While a place is read, what is shown of the one before is pale.
function wait(waiting) {
  document.body.classList.toggle("loading", waiting);
  document.querySelector("main").setAttribute("aria-busy", waiting);
  byId("told").classList.toggle("waiting", waiting);
  if (waiting) say("reading the policy…");
  else document.querySelector(".step .asked")?.classList.remove("asked");
}

const say = (words) => (byId("told").textContent = words);

function draw(comparison) {
  const policy = byId("policy").value;
  byId("line").placeholder = exampleLine();
  byId("about").textContent = `${place.game} · ${chips(place.iterations)} iterations`;
  drawSteps();
  byId("tools").hidden = place.over || "information_states" in place;
  byId("solve").hidden = !place.solve;
  if (place.solve) byId("solve").href = place.solve;
  byId("compare").hidden = !comparison;
  byId("view").hidden = place.over || !!comparison;
  byId("ranges").hidden = true;
  placeView.leave();
  if (comparison) compareView.show(comparison, policy, byId("with").value, byId("alike").checked);
  else if (place.information_states) drawStates();
  else if (!place.over) placeView.show(place, policy, byId("alike").checked);
}

// A line that this game has.
function exampleLine() {
  const first = place.steps[0]?.actions.filter((action) => !action.over && !action.cards) ?? [];
  return (first.find((action) => action.action.startsWith("raise")) ?? first[0])?.line ?? "";
}

// The way here

function drawSteps() {
  const views = [];
  let street = "preflop";
  place.steps.forEach((step, number) => {
    if (step.street !== street) {
      street = step.street;
      const all = splitCards(step.board);
      const cards = street === "flop" ? all : all.slice(-1);
      views.push(element("div", "dealt", element("div", "", ...cards.map(card)), street));
    }
    views.push(stepView(step, number === place.steps.length - 1 && !place.over));
  });
  if (place.over) views.push(element("div", "dealt", "the hand is over"));
  const focused = byId("steps").contains(document.activeElement);
  byId("steps").replaceChildren(...views);
  if (focused) (byId("steps").querySelector(".now button") ?? byId("steps")).focus();
  scrollToNow(byId("steps"));
}

function stepView(step, now) {
  const buttons = step.actions.map((action) => {
    const share = now ? place.frequencies?.[action.action] : undefined;
    const often = share === undefined ? [] : [element("small", "", percent(share, 1))];
    const button = element("button", action.taken ? "taken" : "", action.action, ...often);
    button.type = "button";
    if (action.taken) button.setAttribute("aria-pressed", "true");
    button.onclick = () => follow(action, button);
    return button;
  });
  const head = element("div", "head", element("b", "", step.position), `pot ${step.pot}`);
  const view = element("div", now ? "step now" : "step", head, element("div", "acts", ...buttons));
  view.setAttribute("role", "group");
  view.setAttribute("aria-label", `${step.position} on the ${step.street}, pot ${step.pot}`);
  return view;
}

async function follow(action, button) {
  const cards = action.cards ? await pickCards(action.cards, splitCards(action.known)) : [];
  if (!cards) return;
  button.classList.add("asked");
  button.focus();
  await show(cards.length ? `${action.line.trimEnd()} ${cards.join("")}` : action.line);
}

// Kuhn and Leduc: a table of information states.
function drawStates() {
  const { actions, information_states: states } = place;
  const head = element("tr", "", ...["information state", ...actions].map((name) => element("th", "", name)));
  const rows = Object.entries(states).map(([name, found]) => {
    const cells = actions.map((action) => element("td", "", found.visited ? percent(found.probabilities[action], 1) : "–"));
    return element("tr", "", element("td", "", name), ...cells);
  });
  for (const id of ["modes", "legend", "unvisited"]) byId(id).replaceChildren();
  byId("turn").textContent = place.turn;
  byId("shares").hidden = true;
  byId("grid").className = "";
  byId("grid").setAttribute("aria-label", "information states and what is done with each");
  byId("grid").replaceChildren(element("table", "states", head, ...rows));
}

byId("where").onsubmit = (event) => {
  event.preventDefault();
  show(byId("line").value);
};
byId("policy").onchange = async () => {
  offerOthers();
  if (!(await show(byId("line").value))) await show(""); // another game, which has no such line
};
byId("with").onchange = byId("alike").onchange = () => show(byId("line").value);
window.onpopstate = followAddress;
showHeader();
start();
