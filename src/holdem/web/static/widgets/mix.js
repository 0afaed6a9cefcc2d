// A bar with a part for each action, and the same in words, also for those who listen.
import { element, percent } from "./cards.js";

export function mixView(shares, actions, colours, words = false) {
  const spoken = shares.map((share, at) => `${actions[at]} ${percent(share, 1)}`);
  const parts = shares.map((share, at) => {
    const part = element("i", "", words && share >= 0.14 ? `${Math.round(100 * share)}` : "");
    part.style.width = `${100 * share}%`;
    part.style.background = colours[at];
    part.title = spoken[at];
    return part;
  });
  const bar = element("div", "mix", ...parts);
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", spoken.filter((_, at) => shares[at] > 0).join(", "));
  return bar;
}

export const shareRows = (shares, actions, colours) => shares.map((share, at) => {
  const colour = element("i");
  colour.style.background = colours[at];
  return element("div", "share", colour, element("span", "", actions[at]), element("b", "", percent(share, 1)));
});
