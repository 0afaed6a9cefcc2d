// The ranges of a place: how much of them gets here, their equity, and what they are made of on this board.
import { byId, element, percent } from "../widgets/cards.js";
import { mixView } from "../widgets/mix.js";
import { row, table } from "./tables.js";

export function drawRanges(place, ranges) {
  byId("players").replaceChildren(...ranges.players.map((player) => playerView(place, player)));
  if (ranges.why_not) byId("players").append(element("p", "note", `${ranges.why_not}.`));
}

function playerView(place, player) {
  const reach = place.players.find((one) => one.position === player.position).reach;
  const figures = [`${percent(reach, 1)} of all hands`, ...(player.equity === null ? [] : [`equity ${percent(player.equity, 1)}`])];
  const head = element("h3", "", `${player.position}${player.acting ? ", to act" : ""}: ${figures.join(", ")}`);
  const tables = [["made hand", player.made, ""], ["draw", player.draws, "draws"]].filter(([, parts]) => parts.some((part) => part.name !== "no draw"));
  return element("div", "player", head, ...tables.map(([name, parts, look]) => partsTable(place, name, parts, look)));
}

function partsTable(place, name, parts, look) {
  const acts = parts.some((part) => part.shares);
  const rows = parts.map((part) => {
    const bar = element("i");
    bar.style.width = `${100 * part.share}%`;
    const cells = [part.name, element("span", "barred", element("span", "", bar), percent(part.share, 1)), part.equity === null ? "–" : percent(part.equity)];
    if (acts) cells.push(mixView(part.shares, place.actions, place.colours));
    return row("td", cells);
  });
  return table([name, "share", "equity", ...(acts ? ["does"] : [])], rows, look);
}
