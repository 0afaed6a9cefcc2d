// The training dashboard: looks at the runs every few seconds, and shows the curves of one of them.
import { chart, COLOURS, compact } from "../widgets/chart.js";
import { byId, chips, element, getJson, percent } from "../widgets/cards.js";
import { showHeader } from "../widgets/header.js";

const LIVE_SECONDS = 2;
const IDLE_SECONDS = 10;
let chosen = new URLSearchParams(location.search).get("run");
let lookedAt = null; // the run and its moment whose curves are on the page

// Titles of what runs write; a scalar that is not here is shown under its own name.
const CHARTS = [
  ["Iterations a second", /^Performance\/IterationsPerSecond$/, { fromZero: true }],
  ["Node visits a second", /^Performance\/NodesPerSecond$/, { fromZero: true }],
  ["Average regret (L2 norm, chips)", /^Regret\/L2Norm$/, { logarithmic: true }, "an average that falls; it is not exploitability"],
  ["Slope of the regret's logarithm", /^Regret\/L2NormSlope$/, {}, "−0.5 is what theory promises"],
  ["Entropy of the policy (bits)", /^Policy\/Entropy\//, { fromZero: true }],
  ["Utility by position (chips a hand)", /^Training\/Utility\/Position/, {}, "as sampled in training; it does not measure strength"],
  ["Infosets touched", /^Training\/InfosetsTouched$/, { fromZero: true }],
  ["Share of actions pruned", /^Training\/PrunedShare$/, { fromZero: true }],
  ["Memory (bytes)", /^Performance\/MemoryBytes$/, { fromZero: true }],
];
const HIDDEN = /^Training\/Utility$/; // the same as of position 0

const clock = (seconds) => {
  if (seconds === null || seconds === undefined) return "–";
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 3600)}:${String(Math.floor(whole / 60) % 60).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
};

async function look() {
  let seconds = IDLE_SECONDS;
  try {
    const found = await getJson("/data/runs");
    byId("about").textContent = `folder: ${found.folder}`;
    byId("told").textContent = found.runs.length ? "" : `there is no run in ${found.folder} yet; holdem train begins one`;
    if (found.runs.length && !found.runs.some((run) => run.name === chosen)) chosen = found.runs[0].name;
    const focused = [...byId("runs").children].indexOf(document.activeElement);
    byId("runs").replaceChildren(...found.runs.map(runView));
    byId("runs").children[focused]?.focus();
    const run = found.runs.find((one) => one.name === chosen);
    if (run) await showCurves(run);
    byId("curves").hidden = !run;
    if (found.runs.some((one) => !one.ended)) seconds = LIVE_SECONDS;
  } catch (error) {
    byId("told").textContent = `${error.message}; trying again`;
  }
  setTimeout(look, 1000 * seconds);
}

// Runs

function runView(run) {
  const worst = run.runs.find((one) => one.status === "failed") ?? run.runs.find((one) => one.silent) ?? run.runs.find((one) => !one.ended) ?? run.runs[0];
  const word = worst.silent ? "silent" : worst.status;
  const made = element("div", `panel run${run.name === chosen ? " chosen" : ""}`);
  made.tabIndex = 0;
  made.append(element("div", "head", element("h2", "", run.name), element("span", `status ${word}`, word)));
  made.append(...run.runs.map((state) => partView(state, run)));
  made.onclick = () => {
    chosen = run.name;
    history.replaceState(null, "", `?${new URLSearchParams({ run: chosen })}`);
    for (const other of byId("runs").children) other.classList.toggle("chosen", other === made);
    showCurves(run).catch((error) => (byId("told").textContent = error.message));
  };
  made.onkeydown = (event) => event.key === "Enter" && made.click();
  return made;
}

function partView(state, run) {
  const part = element("div", "part");
  if (run.runs.length > 1) part.append(element("div", "name", state.name, element("span", "note", state.status)));
  const bar = element("i");
  bar.style.width = `${100 * state.share_done}%`;
  part.append(element("div", state.ended ? "progress ended" : "progress", bar));
  const summary = run.runs.length === 1 && state.ended ? run.summary : {};
  const facts = [
    ["done", percent(state.share_done, 1)],
    [state.iterations === null ? "iterations" : `iterations of ${compact(state.iterations)}`, chips(state.iteration)],
    run.runs.length > 1 && !state.ended ? null : ["trained", clock(state.seconds)],
    state.ended ? null : ["to go", clock(state.eta_seconds)],
    [summary.seconds ? "mean it/s" : "it/s", compact(summary.iterations_per_second ?? state.iterations_per_second)],
    [summary.seconds ? "mean nodes/s" : "nodes/s", compact(summary.nodes_per_second ?? state.nodes_per_second)],
    run.runs.length > 1 ? null : ["workers", state.workers],
  ].filter(Boolean);
  part.append(element("dl", "facts", ...facts.map(([name, value]) => element("div", "", element("dt", "", name), element("dd", "", `${value}`)))));
  if (state.error) part.append(element("p", "note bad", state.error));
  if (state.silent) part.append(element("p", "note bad", `nothing was heard from it for ${clock(Date.now() / 1000 - state.last_update)}`));
  return part;
}

// Curves

async function showCurves(run) {
  const moment = `${run.name} ${run.last_update}`;
  if (moment === lookedAt) return;
  const parameters = new URLSearchParams({ run: run.name });
  const [curves, exploitability] = await Promise.all([getJson(`/data/curves?${parameters}`), getJson(`/data/exploitability?${parameters}`)]);
  if (run.name !== chosen) return;
  lookedAt = moment;
  byId("curves-title").textContent = run.name;
  const charts = chartsOf(curves);
  if (exploitability.points) charts.unshift(panelOf(`Exploitability (${exploitability.unit})`, [{ name: "snapshots", points: exploitability.points }], { logarithmic: true }, "exact: the best possible answer to each snapshot"));
  byId("exploitability").textContent = exploitability.points ? "" : `Exploitability is not computed: ${exploitability.why_not}`;
  byId("charts").replaceChildren(...charts);
  if (!charts.length) byId("charts").append(element("p", "note", "the run has written no curves; --tensorboard turns them on"));
}

// One chart a kind of scalar; instances and streets are lines of it.
function chartsOf(curves) {
  const left = new Set(Object.values(curves).flatMap(Object.keys).filter((name) => !HIDDEN.test(name)));
  const charts = [];
  const add = (title, names, options, note) => {
    const series = Object.entries(curves).flatMap(([instance, scalars]) =>
      names.filter((name) => scalars[name]?.length).map((name) => ({
        name: [instance, names.length > 1 ? name.split("/").at(-1) : ""].filter(Boolean).join(" "),
        points: scalars[name],
      })));
    if (series.length) charts.push(panelOf(title, series, options, note));
  };
  for (const [title, pattern, options, note] of CHARTS) {
    const names = [...left].filter((name) => pattern.test(name));
    names.forEach((name) => left.delete(name));
    if (names.length) add(title, names, options, note);
  }
  for (const name of left) add(name, [name], {});
  return charts;
}

function panelOf(title, series, options, note = "") {
  const keys = series.map((one, number) => {
    const colour = element("i");
    colour.style.background = COLOURS[number % COLOURS.length];
    return element("span", "", colour, one.name, element("b", "", compact(one.points.at(-1)[1])));
  });
  return element("section", "panel chart", element("h3", "", title), element("p", "note", note || "\u00a0"), chart(series, options), element("div", "keys", ...keys));
}

showHeader();
look();
