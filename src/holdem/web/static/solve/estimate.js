// What a solve will take, told before it starts: asked for a moment after each change of the spot, one question at a time.
// What is wrong with a spot is an answer, too; a refusal says that nobody has looked at it, and the spot may be started.
import { byId, Unanswered } from "../widgets/cards.js";
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
    this.unanswered = null; // a promise of the end of the question that the server has
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), DELAY_MS);
  }

  async now() {
    if (!this.form.ready) return;
    clearTimeout(this.timer);
    const number = ++this.asked;
    const slow = setTimeout(() => number === this.asked && this.show("estimating…", false), DELAY_MS);
    const [words, bad] = await this.words(number).catch((error) => [error.message === GONE ? "" : error.message, !(error instanceof Unanswered)]);
    clearTimeout(slow);
    if (number === this.asked) this.show(words, bad);
  }

  show(words, bad) {
    byId("estimate").textContent = words;
    byId("estimate").classList.toggle("bad", bad);
    this.shown(words, bad);
  }

  async words(number) {
    const spot = await this.form.spot();
    const missing = this.form.missing(spot);
    if (missing) return [missing, true];
    while (this.unanswered) await this.unanswered;
    if (number !== this.asked) return ["", false];
    const found = await this.answer(spot);
    return found.fits ? [[sizeWords(found, this.limits().seconds), ...betless(spot)].join(" · "), false] : [found.why_not, true];
  }

  async answer(spot) {
    const asked = this.ask(spot);
    const over = () => (this.unanswered = null);
    this.unanswered = asked.then(over, over);
    return asked.catch((error) => {
      throw new Unanswered(error.message);
    });
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
