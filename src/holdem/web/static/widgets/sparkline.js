// A small curve without axes, such as of chips won hand by hand; a grey line is zero.
import { drawn } from "./chart.js";

// `svg` has the view box 0 0 120 40.
export function drawSparkline(svg, values) {
  svg.replaceChildren();
  if (values.length < 2) return;
  const low = Math.min(...values), high = Math.max(...values);
  const y = (value) => 37 - (34 * (value - low)) / (high - low || 1);
  const points = values.map((value, at) => `${(120 * at) / (values.length - 1)},${y(value)}`).join(" ");
  const still = { "vector-effect": "non-scaling-stroke" };
  svg.append(drawn("line", { x1: 0, x2: 120, y1: y(0), y2: y(0), stroke: "var(--rule)", ...still }));
  svg.append(drawn("polyline", { points, fill: "none", stroke: "var(--accent)", "stroke-width": 2, ...still }));
}
