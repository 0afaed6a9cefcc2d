// Locking the decision that is shown: as it is solved, or with shares that are typed; then the rest is solved again.
import { element } from "../widgets/cards.js";
import { hasStrategy } from "./node_details.js";
import { locksAsSolved, lockTyped } from "./locks.js";

export function lockDetail(node, solveWithLock) {
  const inputs = node.actions.map((action) => {
    const input = element("input", "number");
    Object.assign(input, { value: (100 * action.frequency).toFixed(1), inputMode: "decimal", autocomplete: "off" });
    input.setAttribute("aria-label", `share of ${action.words} in per cent`);
    return input;
  });
  const complaint = element("p", "note bad");
  complaint.setAttribute("role", "status");
  const typed = element("button", "main", "Lock these shares and solve again");
  const solved = element("button", "", "Lock each hand as it is solved and solve again");
  solved.type = "button";
  solved.onclick = () => solveWithLock(locksAsSolved(node));
  const rows = node.actions.map((action, at) => {
    const colour = element("i");
    colour.style.background = action.colour;
    return element("label", "share-input", element("span", "key", colour, action.words), inputs[at], "%");
  });
  const form = element("form", "lock-form", ...rows, complaint, typed);
  form.onsubmit = (event) => {
    event.preventDefault();
    const shares = inputs.map((input) => Number(input.value.replace(",", ".") || 0) / 100);
    if (shares.some((share) => !(share >= 0))) return (complaint.textContent = "shares are numbers of at least 0");
    try {
      solveWithLock([lockTyped(node, shares)]);
    } catch (error) {
      complaint.textContent = error.message;
    }
  };
  const about = element("p", "note", "All hands of this decision play what is locked; everything else is solved against it. A lock that is removed is gone with the next solve.");
  return hasStrategy(node) ? [about, form, solved] : [about, form];
}
