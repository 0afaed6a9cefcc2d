// A row of buttons of which one is pressed.
import { element } from "./cards.js";

// `choices` maps values to words; `chosen(value)` is called when a person presses one.
export function drawSwitch(container, choices, pressed, chosen) {
  container.replaceChildren(...Object.entries(choices).map(([value, words]) => {
    const button = element("button", "", words);
    button.type = "button";
    button.dataset.value = value;
    button.setAttribute("aria-pressed", value === pressed);
    button.onclick = () => chosen(value);
    return button;
  }));
}
