// What dialogs have in common.
import { element } from "./cards.js";

let titles = 0; // so far

// The heading of a dialog, which is also its name for those who listen.
export function titleOf(dialog, words) {
  const title = element("h2", "", words);
  title.id = `dialog-title-${++titles}`;
  dialog.setAttribute("aria-labelledby", title.id);
  return title;
}
