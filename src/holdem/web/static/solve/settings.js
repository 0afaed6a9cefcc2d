// Exact or fast, the target and the time limit; kept in the browser.
import { byId } from "../widgets/cards.js";
import { keep, readKept } from "../widgets/kept.js";

const KEPT = "holdem.solve.settings";
const VERSION = 1;
const MOST_PERCENT = 100, MOST_SECONDS = 3600; // as the server has it
const FIRST = { hands: "exact", target: "0.5", limit: "60" };

export class Settings {
  // `changed()` is called after each change.
  constructor(changed) {
    const { hands, target, limit } = readKept(KEPT, VERSION) ?? FIRST;
    [byId("target").value, byId("limit").value] = [target, limit];
    this.show(hands);
    const afterChange = () => {
      this.keep();
      changed();
    };
    for (const one of ["exact", "groups"]) {
      byId(one).onclick = () => {
        this.show(one);
        afterChange();
      };
    }
    for (const id of ["target", "limit"]) byId(id).onchange = afterChange;
  }

  show(hands) {
    this.hands = hands;
    for (const one of ["exact", "groups"]) byId(one).setAttribute("aria-pressed", one === hands);
  }

  // What ends a solve; null where nothing is written.
  limits() {
    return { target: numberIn("target", "the target", MOST_PERCENT), seconds: numberIn("limit", "the time", MOST_SECONDS) };
  }

  setTarget(target) {
    byId("target").value = target;
    this.keep();
  }

  keep() {
    keep(KEPT, VERSION, { hands: this.hands, target: byId("target").value, limit: byId("limit").value });
  }
}

function numberIn(id, name, most) {
  const text = byId(id).value.trim().replace(",", ".");
  if (!text) return null;
  if (!(Number(text) > 0 && Number(text) <= most)) throw new Error(`${name} is ${text}; write a number above 0, at most ${most}, or nothing`);
  return Number(text);
}
