// The 13 × 13 grid of starting hands: pairs on the diagonal, suited hands above it.
import { element } from "./cards.js";

export const RANKS = "AKQJT98765432";
export const CLASSES = [...RANKS].flatMap((_, row) => [...RANKS].map((_, column) => className(row, column)));

function className(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high + low + (row === column ? "" : column > row ? "s" : "o");
}

// The 169 cells into `container`; `paint(cell, name)` gives each its look.
export function drawGrid(container, paint) {
  container.className = "grid";
  container.replaceChildren(...CLASSES.map((name) => {
    const cell = element("button", "cell", name);
    cell.type = "button";
    cell.dataset.name = name;
    paint(cell, name);
    return cell;
  }));
}

// A background with a stripe for each action, as wide as its share.
export function stripes(shares, colours) {
  let at = 0;
  const stops = shares.flatMap((share, action) => {
    const from = at;
    at += 100 * share;
    return share ? [`${colours[action]} ${from}% ${at}%`] : [];
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}
