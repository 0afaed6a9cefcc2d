// What lies around the painter's grid: brush, eraser, suits, undo, the count, the range as text, presets.
import { element, percent } from "./cards.js";

const QUICK = [100, 75, 50, 25];
const HANDS = { 0: 1326, 3: 1176, 4: 1128, 5: 1081 }; // that there are beside a board

export function painterTools(painter) {
  const { label } = painter;
  const count = element("span", "count number");
  const [undo, redo] = [toolButton("↶", "undo (Ctrl+Z)", () => painter.goBack(false)), toolButton("↷", "redo (Ctrl+Shift+Z)", () => painter.goBack(true))];
  const clear = toolButton("Clear", `clear the range of ${label}`, () => painter.clear());
  const slider = element("input");
  Object.assign(slider, { type: "range", min: 0, max: 100, step: 1, value: 100 });
  slider.setAttribute("aria-label", "weight of the brush in per cent");
  const shown = element("output", "number");
  const quick = QUICK.map((weight) => toolButton(`${weight}`, `paint with ${weight} %`, () => choose(weight)));
  const eraser = toolButton("Eraser", "painting removes hands", () => toggle("eraser"));
  const suits = toolButton("Suits", "a click opens the suits of a class (also Ctrl+click, or Enter)", () => toggle("suits"));
  const field = element("textarea");
  Object.assign(field, { rows: 2, spellcheck: false, placeholder: "22+, A2s+, KTo+, 76s:0.5, AhKd" });
  field.setAttribute("aria-label", `range of ${label} as text`);
  const complaint = element("p", "note bad");
  complaint.setAttribute("role", "status");
  const presets = element("select");
  presets.setAttribute("aria-label", `preset range for ${label}`);

  const tools = {
    head: element("div", "head", element("h2", "", label), count, undo, redo, clear),
    brushes: element("div", "brushes", slider, shown, ...quick, eraser, suits),
    words: element("div", "words", field, presets, complaint),
    field,
    weight: 1,
    eraser: false,
    suits: false,
    complain: (words) => {
      complaint.textContent = words;
      field.setAttribute("aria-invalid", words !== "");
    },
    setPresets: (known) => presets.replaceChildren(new Option("Presets…", ""), ...known.map(({ name, text }) => new Option(name, text))),
    show,
  };

  function show() {
    const combos = painter.range.count(painter.board);
    count.textContent = `${+combos.toFixed(1)} combos · ${percent(combos / (HANDS[painter.board.length] ?? 1326), 1)}`;
    undo.disabled = !painter.range.past.length;
    redo.disabled = !painter.range.future.length;
    shown.textContent = tools.eraser ? "erases" : percent(tools.weight);
    quick.forEach((button, at) => button.setAttribute("aria-pressed", !tools.eraser && QUICK[at] === Math.round(100 * tools.weight)));
    eraser.setAttribute("aria-pressed", tools.eraser);
    suits.setAttribute("aria-pressed", tools.suits);
  }

  function choose(weight) {
    tools.weight = weight / 100;
    tools.eraser = tools.suits = false;
    slider.value = weight;
    show();
  }

  function toggle(tool) {
    const on = !tools[tool];
    tools.eraser = tools.suits = false;
    tools[tool] = on;
    show();
  }

  slider.oninput = () => choose(+slider.value);
  // Enter is a change, too, and the one that follows when the field is left changes nothing any more.
  field.onchange = () => (field.value !== painter.text || painter.refused) && painter.loadText(field.value);
  field.onkeydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    field.onchange();
  };
  presets.onchange = () => {
    if (presets.value) painter.loadText(presets.value);
    presets.value = "";
  };
  tools.setPresets([]);
  return tools;
}

function toolButton(words, title, clicked) {
  const button = element("button", "tool", words);
  button.type = "button";
  button.title = title;
  button.setAttribute("aria-label", title);
  button.onclick = clicked;
  return button;
}
