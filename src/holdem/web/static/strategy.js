// The strategy browser: a place is a policy and a line of betting, and both are in the address of the page.
import { card, cardWords, chips, element, getJson, percent, splitCards } from "./cards.js";

const byId = (id) => document.getElementById(id);
const RANKS = "AKQJT98765432";
let place = null; // what the server said of the place
let requests = 0; // places asked for so far: an answer that a later one has overtaken is not shown
let chosen = null; // the class whose hands are shown

async function start() {
  try {
    const known = await getJson("/data/policies");
    if (!known.policies.length) return say(`there is no policy under ${known.folder} yet; train one with: holdem train --time-budget 60 --num-workers 0`);
    byId("policy").replaceChildren(...known.policies.map((name) => new Option(name, name)));
    const asked = new URLSearchParams(location.search);
    byId("policy").value = asked.get("policy") ?? known.played ?? known.policies[0];
    if (!byId("policy").value) byId("policy").value = known.policies[0];
    await show(asked.get("line") ?? "", false);
  } catch (error) {
    say(error.message);
  }
}

async function show(line, remember = true) {
  const policy = byId("policy").value;
  const number = ++requests;
  document.body.classList.add("loading");
  try {
    const found = await getJson(`/data/strategy?${new URLSearchParams({ policy, line })}`);
    if (number !== requests) return true;
    place = found;
    const address = `?${new URLSearchParams({ policy, line: place.line })}`;
    if (remember) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    byId("line").value = place.line;
    say(place.replaced.join("; "));
    draw();
    return true;
  } catch (error) {
    if (number !== requests) return true;
    say(error.message);
    return false;
  } finally {
    if (number === requests) document.body.classList.remove("loading");
  }
}

const say = (words) => (byId("told").textContent = words);

function draw() {
  byId("about").textContent = `${place.game} · ${chips(place.iterations)} iterations`;
  drawSteps();
  byId("view").hidden = place.over;
  if (place.over) return;
  byId("turn").textContent = place.turn;
  byId("unvisited").textContent = place.unvisited ? `grey: never visited in training (${place.unvisited} hands), so nothing is known of them` : "";
  byId("shares").hidden = "information_states" in place;
  if (place.information_states) drawStates();
  else drawHands();
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
  byId("steps").replaceChildren(...views);
  byId("steps").scrollLeft = byId("steps").scrollWidth;
}

function stepView(step, now) {
  const buttons = step.actions.map((action) => {
    const button = element("button", action.taken ? "taken" : "", action.action);
    button.onclick = () => follow(action);
    return button;
  });
  const head = element("div", "head", element("b", "", step.position), `pot ${step.pot}`);
  return element("div", now ? "step now" : "step", head, ...buttons);
}

async function follow(action) {
  if (!action.cards) return show(action.line);
  const cards = await pickCards(action.cards, splitCards(action.known));
  if (cards) show(`${action.line.trimEnd()} ${cards.join("")}`);
}

// Cards of a street

function pickCards(count, used) {
  const dialog = byId("picker");
  const picked = [];
  const names = [..."shdc"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  byId("picker-title").textContent = count === 1 ? "Choose the next card" : `Choose the ${count} cards of the flop`;
  return new Promise((resolve) => {
    const end = (cards) => {
      dialog.onclose = null;
      dialog.close();
      resolve(cards);
    };
    byId("deck").replaceChildren(...names.map((name) => {
      const button = element("button", "", card(name));
      button.type = "button";
      button.disabled = used.includes(name);
      button.onclick = () => {
        const at = picked.indexOf(name);
        if (at >= 0) picked.splice(at, 1);
        else picked.push(name);
        button.classList.toggle("picked", at < 0);
        if (picked.length === count) end(picked);
      };
      return button;
    }));
    byId("random").onclick = () => {
      const free = names.filter((name) => !used.includes(name) && !picked.includes(name));
      while (picked.length < count) picked.push(free.splice(Math.floor(Math.random() * free.length), 1)[0]);
      end(picked);
    };
    byId("cancel").onclick = () => end(null);
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

// What hands do

function drawHands() {
  const { classes, actions, colours } = place;
  byId("grid").className = "grid";
  const cells = [];
  for (let row = 0; row < 13; row++) {
    for (let column = 0; column < 13; column++) {
      const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
      const name = high + low + (row === column ? "" : column > row ? "s" : "o");
      cells.push(cellView(name, classes[name], actions, colours));
    }
  }
  byId("grid").replaceChildren(...cells);
  drawShares(actions.map((action) => place.frequencies[action]));
  if (!classes[chosen]) chosen = null;
  drawClass(chosen ?? Object.keys(classes).find((name) => name === "AKs") ?? Object.keys(classes)[0]);
}

function cellView(name, found, actions, colours) {
  const cell = element("button", "cell", name);
  cell.dataset.name = name;
  if (!found) {
    cell.classList.add("impossible");
    return cell;
  }
  const row = actions.map((action) => found.probabilities[action]);
  const best = row.indexOf(Math.max(...row));
  if (found.visited === 0) {
    cell.classList.add("unvisited");
    cell.style.setProperty("--fill", "#8a8a8a");
  } else {
    cell.style.setProperty("--fill", stripes(row, colours));
    cell.append(element("small", "", row[best] > 0.995 ? "" : percent(row[best])));
  }
  cell.title = `${name}: ${actions.map((action, at) => `${action} ${percent(row[at], 1)}`).join(", ")}`;
  cell.onclick = () => drawClass((chosen = name));
  return cell;
}

function stripes(row, colours) {
  let at = 0;
  const stops = row.flatMap((share, action) => {
    const from = at;
    at += 100 * share;
    return share ? [`${colours[action]} ${from}% ${at}%`] : [];
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

function drawShares(shares) {
  byId("legend").replaceChildren(mixView(shares), ...shareRows(shares));
}

const shareRows = (shares) => shares.map((share, at) => {
  const colour = element("i");
  colour.style.background = place.colours[at];
  return element("div", "share", colour, element("span", "", place.actions[at]), element("b", "", percent(share, 1)));
});

function mixView(shares, words = false) {
  const parts = shares.map((share, at) => {
    const part = element("i", "", words && share >= 0.14 ? `${Math.round(100 * share)}` : "");
    part.style.width = `${100 * share}%`;
    part.style.background = place.colours[at];
    part.title = `${place.actions[at]} ${percent(share, 1)}`;
    return part;
  });
  return element("div", "mix", ...parts);
}

function drawClass(name) {
  for (const cell of byId("grid").children) cell.classList.toggle("chosen", cell.dataset.name === name);
  const found = place.classes[name];
  const shares = place.actions.map((action) => found.probabilities[action]);
  const parts = [element("h2", "", `${name}, ${found.hands} hand${found.hands > 1 ? "s" : ""}`)];
  if (found.visited === 0) parts.push(element("p", "note", "training never came here with these hands: nothing is known"));
  else parts.push(mixView(shares), ...shareRows(shares));
  for (const hand of found.visited && place.hands ? place.hands[name] : []) {
    const words = element("span", "", ...cardWords(splitCards(hand.cards)));
    parts.push(element("div", "combo", words, hand.visited ? mixView(hand.row, true) : element("span", "note", "never visited")));
  }
  byId("hands").replaceChildren(...parts);
}

function drawStates() {
  const { actions, information_states: states } = place;
  const head = element("tr", "", ...["information state", ...actions].map((name) => element("th", "", name)));
  const rows = Object.entries(states).map(([name, found]) => {
    const cells = actions.map((action) => element("td", "", found.visited ? percent(found.probabilities[action], 1) : "–"));
    return element("tr", "", element("td", "", name), ...cells);
  });
  byId("grid").className = "";
  byId("grid").replaceChildren(element("table", "states", head, ...rows));
}

byId("where").onsubmit = (event) => {
  event.preventDefault();
  show(byId("line").value);
};
byId("policy").onchange = async () => {
  if (!(await show(byId("line").value))) await show(""); // another game, which has no such line
};
window.onpopstate = () => {
  const asked = new URLSearchParams(location.search);
  byId("policy").value = asked.get("policy") ?? byId("policy").value;
  show(asked.get("line") ?? "", false);
};
start();
