// Single letters as keys: whoever speaks to the browser, or hits keys by accident, can switch them off on all pages.
import { ofBrowser } from "./storage.js";

const NAME = "keys";

export const keysAreOn = () => ofBrowser.get(NAME) !== "no";

export function useKeySwitch(box) {
  box.checked = keysAreOn();
  box.addEventListener("change", () => ofBrowser.set(NAME, box.checked ? "yes" : "no"));
}
