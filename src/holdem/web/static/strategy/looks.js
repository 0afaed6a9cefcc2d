// How a class looks in each mode of the grid: fill, height, a short word, a title.
import { element, percent } from "../widgets/cards.js";
import { stripes } from "../widgets/grid.js";

const UNVISITED = "#8a8a8a";
const SELDOM = 0.002; // of the fullest cell: less than a line of it
const plain = (colour) => `linear-gradient(${colour}, ${colour})`;
const heat = (share) => plain(`hsl(${Math.round(120 * Math.min(Math.max(share, 0), 1))} 62% 62%)`);

// `−1.25`, and 0.00 without a sign.
const figure = (value, digits) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

export const evWords = (value, error = 0) => (value === null ? "–" : `${figure(value, 2)}${error > 0 ? ` ± ${figure(error, 2)}` : ""}`);

export const givenUpWords = (chips, unit) => `by these figures the blueprint's own mixture gives up ${figure(chips, 2)} ${unit}; it is trained, not solved`;

// An EV is known roughly where its error is larger than a tenth of a big blind, or than itself.
const ROUGH = 0.1;
const isRough = ({ ev, error }) => ev !== null && error > Math.min(ROUGH, Math.abs(ev));

// A function from a class to its look, with a legend of what it shows.
export function lookOf(mode, view) {
  if (mode.startsWith("range ")) return rangeLook(view, mode.slice(6));
  return { strategy: strategyLook, equity: equityLook, ev: evLook }[mode](view);
}

function fills({ place }) {
  if (!place.weighed || !place.comes_here) return { of: () => 1, words: "" };
  const most = Math.max(...Object.values(place.classes).map((found) => found.reach)) || 1;
  return { of: (found) => found.reach / most, words: ` Height: how much of the class gets here; a full cell is ${percent(most, 1)}.` };
}

export function strategyLook(view) {
  const { actions, colours } = view.place;
  const fill = fills(view);
  const look = (found) => {
    const shares = actions.map((action) => found.probabilities[action]);
    const best = Math.max(...shares);
    const words = actions.map((action, at) => `${action} ${percent(shares[at], 1)}`).join(", ");
    const reach = view.place.weighed ? `; ${percent(found.reach, 1)} of it gets here` : "";
    if (found.visited === 0) return unvisitedLook(fill.of(found), reach);
    return { fill: stripes(shares, colours), height: fill.of(found), words: best > 0.995 ? "" : percent(best), title: words + reach };
  };
  return Object.assign(look, { legend: `Width: how often each action is taken.${fill.words}` });
}

export const unvisitedLook = (height, more = "") => ({ fill: plain(UNVISITED), height, words: "", title: `never visited in training${more}`, unvisited: true });

function rangeLook(view, position) {
  const player = view.place.players.find((one) => one.position === position);
  const most = Math.max(...Object.values(player.classes)) || 1;
  const look = (_, name) => {
    const reach = player.classes[name] ?? 0;
    return { fill: plain(player.acting ? "#5aa2ee" : "#eda847"), height: reach / most, words: reach > 0.995 ? "" : percent(reach), title: `${percent(reach, 1)} of it gets here` };
  };
  return Object.assign(look, { legend: `How much of each class ${position} brings here: ${percent(player.reach, 1)} of all hands; a full cell is ${percent(most, 1)}.` });
}

function equityLook(view) {
  const acting = view.ranges?.players.find((player) => player.acting);
  const fill = fills(view);
  const look = (found, name) => {
    const equity = acting?.classes[name];
    return equity === undefined ? null : { fill: heat(equity), height: fill.of(found), words: percent(equity), title: `equity ${percent(equity, 1)}` };
  };
  const words = acting?.equity === null ? `${view.ranges.why_not}.` : `Equity against the other range as it gets here, without further betting.${fill.words}`;
  return Object.assign(look, { legend: words });
}

function evLook(view) {
  const known = Object.values(view.values?.classes ?? {}).map((found) => found.ev).filter((ev) => ev !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const fill = fills(view);
  const look = (found, name) => {
    const worth = view.values?.classes[name];
    if (worth && found.visited === 0) return unvisitedLook(fill.of(found));
    if (!worth || worth.ev === null) return null;
    const lost = worth.given_up === null ? "" : `; ${givenUpWords(worth.given_up, view.values.unit)}`;
    return {
      fill: heat((worth.ev - low) / (high - low || 1)), height: fill.of(found), words: figure(worth.ev, Math.abs(worth.ev) < 10 ? 1 : 0),
      title: `EV ${evWords(worth.ev, worth.error)} ${view.values.unit}${lost}`, rough: isRough(worth),
    };
  };
  const rough = Object.values(view.values?.classes ?? {}).some(isRough) ? ` Thin letters: an error of more than ${ROUGH} ${view.values.unit}, or than the EV itself.` : "";
  const words = view.values ? `EV in ${view.values.unit} from now on, ${view.values.words}. Actions that a class hardly ever takes have none.${rough}` : "";
  return Object.assign(look, { legend: words });
}

// The look of a class into its cell; null where there is nothing to show.
export function paintCell(cell, name, found, look, chosen) {
  if (!found) {
    cell.classList.add("impossible");
    cell.disabled = true;
    return;
  }
  const shown = look(found, name);
  const absent = !shown || shown.height < SELDOM;
  cell.classList.toggle("absent", absent);
  cell.classList.toggle("rough", !!shown?.rough && !absent);
  cell.classList.toggle("unvisited", !!shown?.unvisited && !absent);
  if (!absent) {
    cell.style.setProperty("--fill", shown.fill);
    cell.style.setProperty("--height", `${Math.max(Math.round(100 * shown.height), 3)}%`);
    if (shown.words) cell.append(element("small", "", shown.words));
  }
  cell.title = `${name}: ${shown?.title ?? "nothing known"}`;
  cell.setAttribute("aria-label", cell.title);
  cell.onclick = chosen;
}
