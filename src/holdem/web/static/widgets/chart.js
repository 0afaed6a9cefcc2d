// Curves against iterations, as SVG. Nothing is smoothed or filled in: a line joins the points that a run wrote.

const WIDTH = 420, HEIGHT = 190, LEFT = 52, RIGHT = 10, TOP = 8, BOTTOM = 24;
export const COLOURS = ["#3b82e0", "#e0873b", "#2fa36b", "#c2507f", "#8b6fd6", "#7a8794"];

export function compact(value) {
  const size = Math.abs(value);
  for (const [unit, factor] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (size >= factor) return `${+(value / factor).toPrecision(3)}${unit}`.replace("-", "−");
  }
  return `${+value.toPrecision(3)}`.replace(/^-/, "−");
}

// An element of an SVG.
export function drawn(name, values, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Round numbers between two bounds: on a logarithmic axis 1, 2, 5 times a power of ten.
function ticks(low, high, logarithmic) {
  if (logarithmic) {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const lead of [1, 2, 5]) found.push(lead * 10 ** power);
    }
    const inside = found.filter((value) => value >= low && value <= high);
    return inside.length > 6 ? inside.filter((value) => `${value.toExponential()}`.startsWith("1e")) : inside;
  }
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((lead) => lead * power).find((size) => size >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push(Math.abs(value) < step / 1e6 ? 0 : value);
  return found;
}

function scale(values, from, to, logarithmic, fromZero) {
  let low = Math.min(...values), high = Math.max(...values);
  if (fromZero && low > 0) low = 0;
  if (low === high) [low, high] = logarithmic ? [low / 2, high * 2] : [low - (Math.abs(low) || 1) / 10, high + (Math.abs(high) || 1) / 10];
  const bend = logarithmic ? Math.log : (value) => value;
  const place = (value) => from + ((to - from) * (bend(value) - bend(low))) / (bend(high) - bend(low));
  return { place, marks: ticks(low, high, logarithmic) };
}

export function chart(series, { logarithmic = false, fromZero = false } = {}) {
  const points = series.flatMap((one) => one.points);
  const bent = logarithmic && points.every(([, y]) => y > 0);
  const x = scale(points.map((point) => point[0]), LEFT, WIDTH - RIGHT, false, true);
  const y = scale(points.map((point) => point[1]), HEIGHT - BOTTOM, TOP, bent, fromZero);
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  for (const mark of y.marks) {
    svg.append(drawn("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y.place(mark), y2: y.place(mark), stroke: "var(--rule)" }));
    svg.append(drawn("text", { x: LEFT - 7, y: y.place(mark) + 4, "text-anchor": "end" }, compact(mark)));
  }
  for (const mark of x.marks) svg.append(drawn("text", { x: x.place(mark), y: HEIGHT - 6, "text-anchor": mark ? "middle" : "start" }, compact(mark)));
  series.forEach((one, number) => {
    const colour = COLOURS[number % COLOURS.length];
    const path = one.points.map(([at, value]) => `${x.place(at).toFixed(1)},${y.place(value).toFixed(1)}`).join(" ");
    svg.append(drawn("polyline", { points: path, fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round" }));
    if (one.points.length <= 30) {
      for (const [at, value] of one.points) svg.append(drawn("circle", { cx: x.place(at), cy: y.place(value), r: 2.6, fill: colour }));
    }
  });
  return svg;
}
