// A bar with a part for each action, and the same in words.
import { element, percent } from "./cards.js";

export function mixView(shares, actions, colours, words = false) {
  const parts = shares.map((share, at) => {
    const part = element("i", "", words && share >= 0.14 ? `${Math.round(100 * share)}` : "");
    part.style.width = `${100 * share}%`;
    part.style.background = colours[at];
    part.title = `${actions[at]} ${percent(share, 1)}`;
    return part;
  });
  return element("div", "mix", ...parts);
}

export const shareRows = (shares, actions, colours) => shares.map((share, at) => {
  const colour = element("i");
  colour.style.background = colours[at];
  return element("div", "share", colour, element("span", "", actions[at]), element("b", "", percent(share, 1)));
});
