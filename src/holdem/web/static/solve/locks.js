// Locks: decisions that are fixed while all else is solved against them.
import { byId, element, percent } from "../widgets/cards.js";
import { actionWords } from "../widgets/tree_walker.js";

const STEPS = [1000, 100, 20]; // shares of a lock are whole thousandths, or coarser where it would get too long
const DEALT = /^(\*|(10|[2-9tjqka])[cdhs])$/i; // in the path of a lock, as people write it; a star is any card
const MOST_NAMED = 4; // hands of a lock that the list names
const SHARE = 1 / 3; // of the room that is left: what a lock may take, so that others fit beside it

// A lock of each hand as it is solved, from the finest version to the coarsest; hands that do the same share one entry.
export const locksAsSolved = (node) => STEPS.map((steps) => lockRounded(node, steps));

// The finest version that leaves room for other locks, or the coarsest if there is room for it at all; `room` is in letters.
export function lockThatFits(versions, room) {
  const lengths = versions.map((lock) => JSON.stringify(lock).length);
  if (lengths.at(-1) > room) throw new Error("there is no room for this lock beside the others; remove one of them, or lock with shares instead of hand by hand");
  return versions.find((_, at) => lengths[at] <= SHARE * room) ?? versions.at(-1);
}

function lockRounded(node, steps) {
  const alike = new Map();
  for (const hand of Object.values(node.hands).flat()) {
    const shares = hand.shares.map((share) => Math.round(share * steps) / steps);
    const key = JSON.stringify(Object.fromEntries(shares.flatMap((share, at) => (share > 0 ? [[node.actions[at].label, share]] : []))));
    if (key !== "{}") alike.set(key, [...(alike.get(key) ?? []), hand.cards]);
  }
  const hands = Object.fromEntries([...alike].map(([key, cards]) => [cards.join(","), JSON.parse(key)]));
  return { node: pathOf(node), hands };
}

// A lock of all hands to the shares that were typed, in per cent.
export function lockTyped(node, shares) {
  if (!shares.some((share) => share > 0)) throw new Error("give some action a share above 0");
  return { node: pathOf(node), strategy: Object.fromEntries(node.actions.map((action, at) => [action.label, shares[at]])) };
}

const pathOf = (node) => node.steps.map((step) => step.label).join(", ");

// The list of the form's locks with a button to remove each.
export function showLocks(host, form) {
  const rows = form.locks.map((lock, number) => {
    const remove = element("button", "tool", "×");
    remove.type = "button";
    remove.setAttribute("aria-label", `remove the lock of ${placeOf(lock, form.more.to_act)}`);
    remove.onclick = () => form.setLocks(form.locks.filter((_, at) => at !== number));
    return element("div", "lock", element("span", "", `${placeOf(lock, form.more.to_act)}: ${lockWords(lock)}`), remove);
  });
  const held = [...host.querySelectorAll("button")].indexOf(document.activeElement);
  host.hidden = !rows.length;
  host.replaceChildren(element("h2", "", "Locks"), ...rows);
  const left = host.querySelectorAll("button");
  if (held >= 0) (left[Math.min(held, left.length - 1)] ?? byId("start")).focus(); // which solves without the lock
}

// `IP after check`: whose decision it is, and where. Two players take turns, and OOP begins every later street.
function placeOf(lock, first = "oop") {
  const labels = lock.node.split(",").map((label) => label.trim()).filter(Boolean);
  const dealt = labels.findLastIndex((label) => DEALT.test(label));
  const turns = labels.length - dealt - 1 + (dealt < 0 && first === "ip" ? 1 : 0);
  return `${turns % 2 ? "IP" : "OOP"} ${labels.length ? `after ${labels.map(actionWords).join(", ")}` : "at the root"}`;
}

function lockWords(lock) {
  const named = Object.keys(lock.hands ?? {}).flatMap((hands) => hands.split(",")).map((hand) => hand.trim()).filter(Boolean);
  const hands = named.length > MOST_NAMED ? `${named.length} hands` : named.join(", ");
  const shares = Object.entries(lock.strategy ?? {});
  const sum = shares.reduce((all, [, share]) => all + share, 0);
  const words = shares.filter(([, share]) => share > 0).map(([label, share]) => `${actionWords(label)} ${percent(share / sum)}`);
  return [...(words.length ? [words.join(", ")] : []), ...(hands ? [`${hands} in ${named.length > 1 ? "their" : "its"} own way`] : [])].join("; ");
}
