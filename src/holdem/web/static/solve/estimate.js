// What a solve will take, told before it starts: asked for a moment after each change of the spot.
import { byId } from "../widgets/cards.js";
import { GONE } from "./connection.js";

const DELAY_MS = 350;

export class Estimate {
  // `ask(spot)` is a promise of the server's answer; `limits()` are target and seconds; `shown(words, bad)` is called with each sentence.
  constructor(form, ask, limits, shown) {
    this.limits = limits;
    this.shown = shown;
    this.form = form;
    this.ask = ask;
    this.asked = 0; // so far: an answer that a later one has overtaken is not shown
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), DELAY_MS);
  }

  async now() {
    if (!this.form.ready) return;
    clearTimeout(this.timer);
    const number = ++this.asked;
    const slow = setTimeout(() => this.show("estimating…", false), DELAY_MS);
    const [words, bad] = await this.words().catch((error) => (error.message === GONE ? ["", false] : [error.message, true]));
    clearTimeout(slow);
    if (number === this.asked) this.show(words, bad);
  }

  show(words, bad) {
    byId("estimate").textContent = words;
    byId("estimate").classList.toggle("bad", bad);
    this.shown(words, bad);
  }

  async words() {
    const spot = await this.form.spot();
    const missing = this.form.missing(spot);
    if (missing) return [missing, true];
    const found = await this.ask(spot);
    return found.fits ? [[sizeWords(found, this.limits().seconds), ...betless(spot)].join(" · "), false] : [found.why_not, true];
  }
}

// Streets on which nobody can bet: mostly forgotten.
function betless({ bet_sizes, bets }) {
  const players = "oop" in bet_sizes ? [bet_sizes.oop, bet_sizes.ip] : [bet_sizes];
  const streets = Object.keys(players[0]).filter((street, at) => !(at === 0 && bets) && players.every((menus) => !menus[street].bet));
  return streets.length ? [`no bets on the ${streets.join(" and ")}`] : [];
}

function sizeWords({ hands, bytes, exact_bytes: exact, seconds }, limit) {
  const size = exact ? `${byteWords(bytes)}, at its end up to ${byteWords(bytes + exact)}` : byteWords(bytes);
  const late = limit && seconds > limit ? `; stops after ${limit} s, before the target` : "";
  const time = seconds === null || seconds === undefined ? "" : ` · ${timeWords(seconds)}${late}`;
  return `${hands[0]} and ${hands[1]} hands · ${size}${time}`;
}

const byteWords = (bytes) => (bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`);

function timeWords(seconds) {
  if (seconds < 1.5) return "about a second";
  return seconds < 100 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`;
}
