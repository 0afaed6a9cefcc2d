// The hands of one class, each with a weight of its own, in a dialog.
import { cardWords, element, splitCards } from "./cards.js";
import { titleOf } from "./dialogs.js";
import { combosOf, touches } from "./painted_range.js";

// A promise of [hand, weight] for all hands of the class; null if nothing was changed.
export function chooseSuits(name, range, board) {
  const dialog = element("dialog", "suits");
  const rows = combosOf(name).map((combo) => comboRow(combo, range.of(combo), touches(combo, board)));
  const all = [0, 25, 50, 75, 100].map((weight) => {
    const button = element("button", "tool", `${weight} %`);
    button.onclick = () => rows.forEach((row) => row.choose(weight));
    return button;
  });
  document.body.append(dialog);
  return new Promise((resolve) => {
    const end = (chosen) => {
      dialog.onclose = null;
      dialog.close(); // gives the focus back
      dialog.remove();
      resolve(chosen);
    };
    const use = element("button", "main", "Use");
    use.onclick = () => end(rows.map((row) => [row.combo, row.weight()]));
    const cancel = element("button", "", "Cancel");
    cancel.onclick = () => end(null);
    const everyone = element("div", "brushes", "All:", ...all);
    const form = element("div", "combos", ...rows.map((row) => row.view));
    dialog.append(titleOf(dialog, `Suits of ${name}`), everyone, form, element("div", "row", cancel, use));
    dialog.onclose = () => end(null);
    dialog.showModal();
    rows[0].view.querySelector("input").focus();
  });
}

function comboRow(combo, weight, blocked) {
  const slider = element("input");
  Object.assign(slider, { type: "range", min: 0, max: 100, step: 1, value: Math.round(100 * weight) });
  slider.setAttribute("aria-label", `weight of ${combo} in per cent`);
  const shown = element("output", "number");
  const show = () => (shown.textContent = `${slider.value} %`);
  let touched = false; // a weight that nobody moved keeps its fractions of a per cent
  slider.oninput = () => {
    touched = true;
    show();
  };
  show();
  const view = element("label", blocked ? "combo blocked" : "combo", element("span", "", ...cardWords(splitCards(combo))), slider, shown);
  const choose = (per_cent) => {
    slider.value = per_cent;
    slider.oninput();
  };
  return { combo, view, choose, weight: () => (touched ? slider.value / 100 : weight) };
}
