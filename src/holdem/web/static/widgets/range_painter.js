// The 13 × 13 grid as a canvas: mouse or finger paint weights, and the range is text at the same time.
// The server reads and writes the notation (POST /data/range), so there is one parser.
import { stopAt, useArrowKeys } from "./arrow_keys.js";
import { element, NO_ANSWER, percent, postJson, Unanswered } from "./cards.js";
import { CLASSES, drawGrid } from "./grid.js";
import { combosOf, PaintedRange } from "./painted_range.js";
import { chooseSuits } from "./range_suits.js";
import { painterTools } from "./range_tools.js";

const TEXT_DELAY_MS = 200;

export class RangePainter {
  // `changed()` is called after each change of the range, `host` is filled.
  constructor(host, label, changed) {
    this.range = new PaintedRange();
    this.label = label;
    this.changed = changed;
    this.board = [];
    this.text = ""; // as the server writes what is painted, where `current`
    this.current = true;
    this.changes = 0; // so far
    this.rounded = false; // whether the text that was read last has weights finer than those that are kept
    this.reading = null; // a promise, while a text is being read
    this.refused = ""; // why the text of the field is no range
    this.unread = null; // a text that no server was there to read
    this.wanted = 0; // the latest range that was asked for, or painted
    this.stroke = null; // the last one, from the moment that it touches the grid
    this.last = null; // where the stroke is that is being drawn
    this.tools = painterTools(this);
    this.grid = element("div");
    drawGrid(this.grid, () => {});
    this.grid.classList.add("paints");
    this.grid.setAttribute("role", "group");
    this.grid.setAttribute("aria-label", `${label}: arrow keys move, Space paints, Enter opens the suits`);
    host.classList.add("painter");
    host.append(this.tools.head, this.tools.brushes, this.grid, this.tools.words);
    this.listen(host);
    this.show();
  }

  // What is painted, and what is shown of it

  setBoard(cards) {
    this.board = cards;
    this.show();
  }

  // Weights as the server gives them, or of an earlier visit.
  load(weights, text = null, rounded = false) {
    this.rounded = rounded;
    this.range.replace(weights);
    this.afterChange(text);
  }

  // A text of the field, a preset or a file. Whoever asks for the range waits for it, or is told why it was refused.
  loadText(text) {
    const reading = this.readText(text).finally(() => {
      if (this.reading === reading) this.reading = null;
    });
    return (this.reading = reading);
  }

  async readText(text) {
    const number = ++this.wanted;
    this.unread = null;
    try {
      const found = text.trim() ? await postJson("/data/range", { text }) : { weights: {}, text: "" };
      if (number !== this.wanted) return; // something else was painted or asked for meanwhile
      this.tools.complain("");
      this.load(found.weights, found.text, found.rounded);
    } catch (error) {
      if (number !== this.wanted) return;
      this.tools.complain(error.message);
      if (error instanceof Unanswered) this.unread = text;
      else this.refused = error.message;
      this.changed();
    }
  }

  // Until no text is being read.
  async settled() {
    let reading;
    do await (reading = this.reading);
    while (reading !== this.reading);
  }

  // At once, or on what was typed before, when it is read; where that is no range, it stays in its field instead.
  async afterText(work) {
    if (this.reading) {
      await this.settled();
      if (this.refused || this.unread !== null) return;
    }
    work();
  }

  // The range in words, up to date; empty where nothing is painted.
  async currentText() {
    await this.settled();
    if (this.unread !== null) this.loadText(this.unread); // there may be a server again
    await this.settled();
    if (this.refused) throw new Error(`${this.label}: ${this.refused}`);
    if (this.unread !== null) throw new Unanswered(`${this.label}: ${NO_ANSWER}`);
    if (!this.current) await (this.writing ??= this.writeText().finally(() => (this.writing = null)));
    return this.text;
  }

  afterChange(text = null) {
    clearTimeout(this.timer);
    this.changes++;
    this.refused = "";
    this.unread = null;
    if (text === null) this.wanted++;
    this.current = text !== null;
    if (this.current) this.tools.field.value = this.text = text;
    else this.timer = setTimeout(() => this.currentText().catch((error) => this.tools.complain(error.message)), TEXT_DELAY_MS);
    this.show();
    this.changed();
  }

  // Asks until nothing was painted while the server answered.
  async writeText() {
    while (!this.current) {
      const number = this.changes;
      const weights = Object.fromEntries(this.range.weights);
      const text = this.range.weights.size ? (await postJson("/data/range", { weights })).text : "";
      if (number !== this.changes) continue;
      this.current = true;
      this.tools.field.value = this.text = text;
      this.tools.complain("");
    }
  }

  show() {
    for (const cell of this.grid.children) this.showCell(cell);
    this.tools.show();
  }

  showCell(cell) {
    const name = cell.dataset.name;
    const { mean, differ, possible } = this.range.classOf(name, this.board);
    cell.style.setProperty("--fill", `linear-gradient(0deg, var(--paint) ${100 * mean}%, var(--soft) 0)`);
    cell.classList.toggle("painted", mean >= 0.5);
    cell.classList.toggle("blocked", !possible);
    cell.classList.toggle("differ", differ);
    const words = possible ? percent(mean, mean && mean < 0.1 ? 1 : 0) : "not possible on this board";
    cell.title = `${name}: ${words}${differ ? " on average, suits differ" : ""}`;
    cell.setAttribute("aria-label", cell.title);
  }

  // Painting

  listen(host) {
    useArrowKeys(this.grid, 13);
    stopAt(this.grid);
    this.grid.onpointerdown = (event) => this.begin(event);
    this.grid.onpointermove = (event) => this.isDrawing(event) && this.draw(event);
    this.grid.onpointerup = this.grid.onpointercancel = (event) => this.lift(event);
    this.grid.onclick = (event) => {
      if (event.detail === 0) this.paintOne(event.target); // of a screen reader
      else if (this.tools.suits && event.target.dataset.name) this.openSuits(event.target.dataset.name); // a finger that is still down would press what opens below it
    };
    this.grid.onkeydown = (event) => {
      if (event.key === " " || event.key === "Enter") {
        event.preventDefault();
        if (event.key === "Enter") this.openSuits(event.target.dataset.name);
        else if (!event.repeat) this.paintOne(event.target);
      }
    };
    this.grid.onkeyup = (event) => {
      if (event.key === " ") event.preventDefault(); // Firefox would click now
    };
    host.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target === this.tools.field) return;
      const redo = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
      if (!redo && event.key !== "z") return;
      event.preventDefault();
      this.goBack(redo);
    });
  }

  begin(event) {
    const cell = event.target.closest(".cell");
    if (!cell || event.button || !event.isPrimary || this.last) return; // one finger paints, whatever else touches the grid
    event.preventDefault();
    cell.focus({ preventScroll: true }); // a text that was typed is read now
    if (this.tools.suits) return; // the click opens them
    if (event.ctrlKey || event.metaKey || event.shiftKey) return this.openSuits(cell.dataset.name);
    this.pointer = event.pointerId;
    this.grid.setPointerCapture(this.pointer);
    const stroke = (this.stroke = { lifted: null });
    this.afterText(() => {
      this.range.remember();
      this.weight = this.strokeWeight(cell.dataset.name);
      this.last = [event.clientX, event.clientY];
      this.paint(cell);
      if (stroke.lifted) this.finish(stroke.lifted);
    });
  }

  // The end of a stroke, which may have to wait for its beginning.
  lift(event) {
    if (this.isDrawing(event)) this.end();
    else if (this.stroke && event.pointerId === this.pointer) this.stroke.lifted = event;
  }

  finish(event) {
    if (event.type === "pointerup") this.draw(event); // where a stroke was cancelled is not told
    this.end();
  }

  // A stroke that begins on a class of the brush's own weight erases.
  strokeWeight(name) {
    const shown = this.range.classOf(name, this.board);
    const { mean, differ } = shown.possible ? shown : this.range.classOf(name, []);
    return this.tools.eraser || (!differ && Math.abs(mean - this.tools.weight) < 1e-9) ? 0 : this.tools.weight;
  }

  // A quick stroke skips cells between two events, so the way between is walked in steps shorter than a cell.
  draw(event) {
    const [x, y] = this.last;
    const size = this.grid.firstChild.offsetWidth / 2;
    const steps = Math.max(1, Math.ceil(Math.hypot(event.clientX - x, event.clientY - y) / size));
    for (let step = 1; step <= steps; step++) {
      const at = (to, from) => from + ((to - from) * step) / steps;
      const cell = document.elementFromPoint(at(event.clientX, x), at(event.clientY, y))?.closest?.(".cell");
      if (cell?.parentNode === this.grid) this.paint(cell);
    }
    this.last = [event.clientX, event.clientY];
  }

  paint(cell) {
    this.range.set(combosOf(cell.dataset.name), this.weight);
    this.showCell(cell);
    this.tools.show();
  }

  isDrawing(event) {
    return this.last && event.pointerId === this.pointer;
  }

  end() {
    this.last = null;
    this.afterChange();
  }

  paintOne(cell) {
    if (!CLASSES.includes(cell.dataset.name)) return;
    this.afterText(() => {
      this.range.remember();
      this.weight = this.strokeWeight(cell.dataset.name);
      this.paint(cell);
      this.afterChange();
    });
  }

  openSuits(name) {
    this.afterText(() => this.chooseSuits(name));
  }

  async chooseSuits(name) {
    const chosen = await chooseSuits(name, this.range, this.board);
    if (!chosen) return;
    this.range.remember();
    for (const [combo, weight] of chosen) this.range.set([combo], weight);
    this.afterChange();
  }

  goBack(redo) {
    this.afterText(() => {
      if (redo) this.range.redo();
      else this.range.undo();
      this.afterChange();
    });
  }

  forgetSteps() {
    this.range.forgetSteps();
    this.tools.show();
  }

  clear() {
    this.wanted++;
    this.range.replace({});
    this.tools.complain("");
    this.afterChange("");
  }
}
