// The course of a solve: exploitability as it falls, and the figures of its end.
import { chart } from "../widgets/chart.js";
import { chips, element } from "../widgets/cards.js";

const ENDS = {
  target: "the target is reached", stop: "stopped", time: "the time is over", iterations: "all iterations done",
  interrupt: "stopped", deadline: "the time is over", // as files of holdem solve say it
};
const STARTING = "the solver is starting…";
const EXACT = { hands: "exact", cards: 0 };
const FLOP_CARDS = 3;

export class Course {
  // `line` gets the figures in one line, `bar` is a progress element.
  constructor(figures, host, line, bar) {
    this.line = line;
    this.bar = bar;
    this.target = null;
    this.figures = figures;
    this.host = host;
    this.points = [];
    this.end = null; // what was said of the last stop, while nothing runs
    this.solved = EXACT;
  }

  // `hands` of later streets are "exact" or in "groups", `cards` lie on the board.
  begin({ hands, cards } = EXACT) {
    this.solved = { hands, cards };
    this.points = [];
    this.end = null;
    this.host.replaceChildren();
    this.showFigures([...this.exploitabilityFigure(null), ["Iterations", "0"]]);
  }

  // Another solve is asked for, and nothing of the last one is shown; gives the way back, should it be refused.
  start() {
    const { points, end, solved } = this;
    const [figures, chart] = [this.figures, this.host].map((one) => [...one.childNodes]);
    const line = this.line.textContent;
    this.begin();
    this.figures.replaceChildren(element("div", "starting", STARTING));
    this.line.textContent = STARTING;
    this.run(null);
    return () => {
      Object.assign(this, { points, end, solved });
      this.bar.hidden = true;
      this.figures.replaceChildren(...figures);
      this.host.replaceChildren(...chart);
      this.line.textContent = line;
    };
  }

  // From now on it is solved, to a target in per cent of the pot or null.
  run(target) {
    this.target = target;
    this.end = null;
    this.bar.removeAttribute("value");
    this.bar.hidden = false;
  }

  add({ iterations, exploitability, seconds }) {
    // Between two measurements a long solve repeats the last one; that is no point of the curve.
    if (exploitability !== this.points.at(-1)?.[1]) this.points.push([iterations, exploitability]);
    this.draw();
    // It falls about as iterations to the power −1.5, so progress is linear in its power −2/3.
    if (this.target && exploitability) this.bar.value = Math.min(1, (this.target / exploitability) ** (2 / 3));
    this.showFigures([...this.exploitabilityFigure(exploitability), ["Iterations", chips(iterations)], ["Time", `${seconds.toFixed(1)} s`]]);
  }

  stop(message) {
    this.figures.dataset.stops = Number(this.figures.dataset.stops ?? 0) + 1; // which a script can wait for
    const { iterations, exploitability } = message;
    if (exploitability !== this.points.at(-1)?.[1]) this.points.push([iterations, exploitability]);
    this.draw();
    this.end = message;
    this.showEnd();
  }

  // What groups of hands cost is measured after the stop, when the page asks for nothing else.
  exact({ iterations, exploitability }) {
    if (this.end?.iterations !== iterations) return;
    this.end.exact_exploitability = exploitability;
    this.showEnd();
  }

  showEnd() {
    const { iterations, exploitability, exact_exploitability: exact, seconds, ev, by } = this.end;
    this.showFigures([
      ["EV OOP", ev[0].toFixed(2)], ["EV IP", ev[1].toFixed(2)],
      ...this.exploitabilityFigure(exploitability),
      ...this.exactFigure(exact),
      ["Iterations", chips(iterations)], ["Time", `${seconds.toFixed(1)} s`], ["Ended", ENDS[by] ?? by],
    ]);
  }

  // Groups of hands make another game, and its exploitability is none of the real one.
  get exploitabilityName() {
    return this.solved.hands === "groups" ? "Exploitability within the groups" : "Exploitability";
  }

  exploitabilityFigure(per_cent) {
    const figure = per_cent === null || per_cent === undefined ? "…" : `${per_cent.toFixed(per_cent < 0.1 ? 3 : 2)} %`;
    return [[this.exploitabilityName, figure]];
  }

  exactFigure(per_cent) {
    if (this.solved.hands === "groups" && this.solved.cards === FLOP_CARDS) return [["with exact hands", "not known on a flop"]];
    return per_cent === null || per_cent === undefined ? [] : [["with exact hands", `${per_cent.toFixed(2)} %`]];
  }

  draw() {
    if (!this.points.length) return;
    const svg = chart([{ points: this.points }], { logarithmic: true });
    const last = this.points.at(-1);
    svg.setAttribute("aria-label", `${this.exploitabilityName.toLowerCase()}: ${last[1].toFixed(3)} % of the pot after ${last[0]} iterations`);
    this.host.replaceChildren(svg, element("p", "note", `${this.exploitabilityName} in per cent of the pot against iterations.`));
  }

  showFigures(rows) {
    this.line.textContent = rows.slice(0, 3).map(([name, value]) => `${name} ${value}`).join(" · ");
    this.figures.replaceChildren(...rows.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", value))));
  }
}
