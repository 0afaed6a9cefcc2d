// Cards and numbers as the pages show them.

const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };

export function element(tag, className = "", ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

export function card(name) {
  const [symbol, suit] = SUITS[name[1]];
  const made = element("span", `card ${name[1]}`, element("b", "", name[0] === "T" ? "10" : name[0]), element("span", "", symbol));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", `${RANKS[name[0]] ?? name[0]} of ${suit}`);
  return made;
}

export function cardBack() {
  const made = element("span", "card back");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", "a hidden card");
  return made;
}

export function cardWords(names) {
  return names.map((name) => element("span", `word ${name[1]}`, `${name[0]}${SUITS[name[1]][0]}`));
}

export function splitCards(text) {
  return text.match(/../g) ?? [];
}

export const chips = (amount) => amount.toLocaleString("en-US");

export function signed(value, digits = 0) {
  const text = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${text}`;
}

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

export async function getJson(address) {
  const response = await fetch(address);
  const content = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(content.error ?? `the server answered ${response.status}`);
  return content;
}
