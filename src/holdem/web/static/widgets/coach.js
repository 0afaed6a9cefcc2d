// What the bot would do at one decision: how often, and what each action is worth.
import { cardWords, chips, chipWords, element, rounded, signed, splitCards } from "./cards.js";

// `who` is whose decision it was.
export function decisionView(decision, who = "you") {
  const { digits } = decision;
  const board = splitCards(decision.board);
  const head = element("div", "head", element("b", "", decision.street), ...cardWords(splitCards(decision.hole_cards)));
  if (board.length) head.append("on", ...cardWords(board));
  const options = decision.actions.map((option) => {
    const row = element("div", option.action === decision.chosen.action ? "option chosen" : "option");
    const bar = element("span", "bar");
    bar.style.width = `${100 * option.frequency}%`;
    bar.style.background = option.colour;
    const error = rounded(option.ev_error ?? 0, digits) > 0 ? ` ± ${chipWords(option.ev_error, digits)}` : ""; // of estimates only
    row.append(
      bar,
      element("span", "", option.action),
      element("span", "", `${option.percent} %`),
      element("span", "worth", option.ev === null ? "" : `${signed(rounded(option.ev, digits), digits)}${error}`),
    );
    return row;
  });
  const how = decision.method + (decision.iterations ? `, ${chips(decision.iterations)} iterations` : "");
  const made = element("div", "decision", head, ...options);
  made.append(...decision.caveats.map((words) => element("p", "caveat", words)));
  if (decision.taken) made.append(element("p", "taken", `${who}: ${decision.taken}`));
  const note = decision.note ? `; ${decision.note}` : "";
  const trust = decision.accuracy_words ? `, ${decision.accuracy_words}` : "";
  const found = element("p", "note", `${how}${note}; worth in chips: ${decision.ev_source}${trust}`);
  made.append(element("details", "", element("summary", "note", "how this was found"), found));
  return made;
}
