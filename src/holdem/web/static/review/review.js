// The review page: opens a file and a hand, walks through it, and has the bot look at it.
import { byId, element, getJson } from "../widgets/cards.js";
import { showHeader } from "../widgets/header.js";
import { keysAreOn, useKeySwitch } from "../widgets/shortcuts.js";
import { bring, chooseFile, listFiles, takeDrops } from "./files.js";
import { handPage, markHands, showHands } from "./hand_list.js";
import { closeHand, nextDecision, playOrPause, showDecisions, shownHand, showHand, step, toEnd, walk } from "./replay.js";
import { beginReview, decisionAt, forget, lostIn, stopReview } from "./reviewing.js";

const BROUGHT = "brought:"; // how names of files begin that a page brought
const FITTING = ""; // a policy for each hand by its seats
let file = null; // the name of the open file
let player = ""; // whose eyes; empty: whoever saw each hand
let policies = { policies: [], played: null };
let opening = 0; // the latest hand or file that was asked for: answers to earlier ones come too late
let listing = 0; // likewise of lists of hands

const say = (words) => (byId("told").textContent = words);

// Runs what may fail; a failure is a sentence on the page.
async function trying(work) {
  say("");
  try {
    await work();
  } catch (error) {
    say(error.message);
  }
}

const query = (more) => new URLSearchParams({ file, ...(player && { player }), ...more });

async function openFile(name, number = null) {
  const own = ++opening;
  listing++;
  const newest = !number && !name.startsWith(BROUGHT); // what was just played; a file from elsewhere is read from its beginning
  const asked = new URLSearchParams({ file: name, first: newest ? 0 : pageOf(number ?? 1) });
  const listed = await getJson(`/data/hands?${asked}`).catch((error) => {
    if (own === opening) byId("file").value = file ?? ""; // it is still the one that is open; none if there is none
    throw error;
  });
  if (own !== opening) return;
  file = name;
  player = "";
  forget();
  closeHand();
  chooseFile(name, listed.name);
  byId("empty").hidden = listed.count > 0;
  byId("room").hidden = !listed.count;
  byId("about").textContent = `${listed.name} · ${listed.count.toLocaleString("en-US")} ${listed.count === 1 ? "hand" : "hands"}`;
  showPlayers(listed.players);
  showHands(listed, null, (one) => trying(() => openHand(one)), lostIn);
  if (number === null || !(await opensHand(number))) await openNearest(number ?? (newest ? listed.count : 1), number || newest ? -1 : 1);
}

// Opens a hand, or says why it cannot be opened; true also if something else was asked for meanwhile.
async function opensHand(number) {
  const before = opening;
  try {
    await openHand(number);
  } catch (error) {
    if (opening > before + 1) return true;
    say(error.message);
    return false;
  }
  return true;
}

// Opens the hand of a number or, if it cannot be read, the next one in a direction, else in the other.
async function openNearest(number, by) {
  const from = Math.min(number, handPage().count);
  const shown = (await nextReadable(from, by)) ?? (await nextReadable(from - by, -by));
  if (shown) await openHand(shown);
  else if (shown === null && handPage().count) say("no hand of this file can be read");
}

// The next hand that can be read from a number on, in a direction; null if there is none, 0 if something else was asked for.
async function nextReadable(from, by) {
  const before = opening;
  for (let number = from; number >= 1 && number <= handPage().count; number += by) {
    if (!isListed(number)) await openPage(pageOf(number));
    if (before !== opening) return 0;
    if (!handPage().hands.find((hand) => hand.number === number)?.error) return number;
  }
  return null;
}

// A number of a hand as the address has it; null for anything else.
const numberIn = (words) => (/^[1-9]\d{0,8}$/.test(words ?? "") ? Number(words) : null);

const pageOf = (number) => 100 * Math.floor((number - 1) / 100) + 1;

function showPlayers(names) {
  byId("player-label").hidden = names.length < 2;
  const choices = [["", "whoever saw it"], ...names.map((name) => [name, name])].map(([value, words]) => {
    const option = element("option", "", words);
    option.value = value;
    return option;
  });
  byId("player").replaceChildren(...choices);
}

async function openHand(number, place = null) {
  const own = ++opening;
  const hand = await getJson(`/data/hand?${query({ hand: number })}`);
  if (own !== opening) return;
  if (!isListed(number)) await openPage(pageOf(number));
  if (own !== opening) return;
  const at = place === null ? 0 : hand.decisions[place] ?? 0;
  showHand(hand, at, (one) => decisionAt(number, one));
  markHands(number, lostIn);
  byId("earlier").disabled = number === 1;
  byId("later").disabled = number === handPage().count;
  history.replaceState(null, "", `?${new URLSearchParams({ file, hand: number })}`);
  showFitting(hand.seats);
}

function isListed(number) {
  const { first, page } = handPage();
  return number >= first && number < first + page;
}

async function openPage(first) {
  const own = ++listing;
  const listed = await getJson(`/data/hands?${query({ first })}`);
  if (own !== listing) return;
  showHands(listed, shownHand()?.number, (one) => trying(() => openHand(one)), lostIn);
}

function listPolicies() {
  const named = policies.policies.map(({ name, seats }) => new Option(`${name}, ${seats} seats`, name));
  byId("policy").replaceChildren(new Option("the fitting one for each hand", FITTING), ...named);
}

// Whether a policy was trained for as many seats as this hand has.
function showFitting(seats) {
  const fits = policies.policies.some((one) => one.seats === seats);
  byId("fits").textContent = fits ? "" : `No policy here was trained for ${seats} seats: such hands can be replayed, not compared. Train one: holdem train --num-players ${seats}`;
  byId("begin").disabled = !policies.policies.length || !byId("stop").hidden;
}

function ask(event) {
  event.preventDefault();
  const scope = byId("scope").value;
  if (scope === "hand" && !shownHand()) return say("no hand is shown; choose one from the list");
  const which = scope === "hand" ? { hand: shownHand().number } : { last: Number(scope) };
  const request = { file, policy: byId("policy").value || null, player: player || null, milliseconds: Number(byId("milliseconds").value), ...which };
  const changed = () => {
    showDecisions();
    markHands(shownHand()?.number, lostIn);
  };
  return beginReview(request, changed, (hand, place) => trying(async () => {
    await openHand(hand, place);
    byId("felt").scrollIntoView({ block: "center" });
  }));
}

const take = (given) => trying(async () => {
  say(`${given.name} is read…`);
  const name = await bring(given);
  await listFiles();
  say("");
  await openFile(name);
});

// To the next hand in a direction that can be read.
const byHands = (by) => trying(async () => {
  const number = await nextReadable(shownHand().number + by, by);
  if (number) await openHand(number);
  else if (number === null) say(`no hand ${by > 0 ? "after" : "before"} this one can be read`);
});

const byPages = (by) => trying(() => openPage(handPage().first + by * handPage().page));

const KEYS = {
  Home: () => walk(0), End: toEnd, ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": playOrPause,
  n: () => byId("later").disabled || byHands(1), p: () => byId("earlier").disabled || byHands(-1),
  d: () => nextDecision(1), D: () => nextDecision(-1),
};

function pressed(event) {
  const busy = event.target.closest("select, input, textarea") || (event.key === " " && event.target.closest("button, a, summary"));
  if (event.key.length === 1 && event.key !== " " && !keysAreOn()) return;
  if (!shownHand() || busy || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function wire() {
  const clicks = {
    first: () => walk(0), back: () => step(-1), run: playOrPause, on: () => step(1), last: toEnd,
    earlier: () => byHands(-1), later: () => byHands(1), "decision-back": () => nextDecision(-1), "decision-on": () => nextDecision(1),
    "page-back": () => byPages(-1), "page-on": () => byPages(1), stop: stopReview,
  };
  for (const [id, work] of Object.entries(clicks)) byId(id).addEventListener("click", work);
  byId("ask").addEventListener("submit", ask);
  byId("file").addEventListener("change", () => trying(() => openFile(byId("file").value)));
  byId("bring").addEventListener("change", () => {
    const [given] = byId("bring").files;
    byId("bring").value = ""; // the same file can be chosen again
    if (given) take(given);
  });
  byId("player").addEventListener("change", () => trying(async () => {
    player = byId("player").value;
    forget();
    await openPage(handPage().first);
    if (shownHand()) await openHand(shownHand().number);
  }));
  useKeySwitch(byId("keys"));
  addEventListener("keydown", pressed);
  takeDrops(take);
}

async function begin() {
  showHeader();
  wire();
  const [names, offered] = await Promise.all([listFiles(), getJson("/data/review-policies")]);
  policies = offered;
  listPolicies();
  const asked = new URLSearchParams(location.search);
  const name = asked.get("file") ?? names[0];
  byId("empty").hidden = Boolean(name);
  if (!name) return;
  await openFile(name, numberIn(asked.get("hand"))).catch((error) => {
    byId("empty").hidden = names.length > 0;
    throw error;
  });
}

trying(begin);
