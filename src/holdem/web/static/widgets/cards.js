// Elements, cards and numbers as the pages show them. A rank is one letter everywhere, as in ranges and lines: T is a ten.

const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const RANKS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };

export const byId = (id) => document.getElementById(id);

export function element(tag, className = "", ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

// "ace of spades", for those who listen.
export const spoken = (name) => `${RANKS[name[0]]} of ${SUITS[name[1]][1]}`;

export function card(name) {
  const symbol = SUITS[name[1]][0];
  const made = element("span", `card ${name[1]}`, element("b", "", name[0]), element("span", "", symbol));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", spoken(name));
  return made;
}

export function cardBack() {
  const made = element("span", "card back");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", "a hidden card");
  return made;
}

export function cardWords(names) {
  return names.map((name) => {
    const made = element("span", `word ${name[1]}`, `${name[0]}${SUITS[name[1]][0]}`);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", spoken(name));
    return made;
  });
}

// "kc8H" is Kc and 8h, as the server reads it.
export function splitCards(text) {
  return (text.match(/../g) ?? []).map(([rank, suit]) => rank.toUpperCase() + suit.toLowerCase());
}

export const chips = (amount) => amount.toLocaleString("en-US");

// "1 hand", "2,000 hands".
export const counted = (number, noun) => `${chips(number)} ${noun}${number === 1 ? "" : "s"}`;

export function signed(value, digits = 0) {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${chipWords(Math.abs(value), digits)}`;
}

// Chips with so many digits behind the point: "1,250", "0.49".
export const chipWords = (amount, digits = 0) => amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

// Chips rounded to as many digits as are shown.
export const rounded = (amount, digits = 0) => Math.round(amount * 10 ** digits) / 10 ** digits;

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

export const NO_ANSWER = "the server does not answer; is it running?";

// Nobody has judged what was asked: asked again, it may be answered.
export class Unanswered extends Error {}

// A browser says of a server that is gone no more than "Failed to fetch".
export async function answerOf(address, how) {
  try {
    return await fetch(address, how);
  } catch (error) {
    throw error instanceof TypeError ? new Unanswered(NO_ANSWER) : error;
  }
}

export const getJson = async (address) => contentOf(await answerOf(address));

export async function postJson(address, content) {
  return contentOf(await answerOf(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) }));
}

export async function contentOf(response) {
  const content = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(content.error ?? `the server answered ${response.status}`);
  return content;
}
