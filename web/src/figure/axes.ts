// Axes of a plot for uPlot: ticks and texts of our own, colours of the theme.
import uPlot from "uplot";
import type { Panel } from "../format";
import { colours } from "../theme";
import { linearTicks, logTexts, logTicks, powerText, tickTexts } from "../ticks";

const FONT = "12px system-ui, sans-serif";

export interface AxisState {
  power: number;
}

function textWidth(texts: string[] | null): number {
  return (texts ?? []).reduce((m, t) => Math.max(m, t.length), 0) * 6.6;
}

function axis(side: "x" | "y", label: string | undefined, names: string[] | undefined, log: boolean, state: AxisState): uPlot.Axis {
  const room = side === "x" ? 74 : 40;
  return {
    scale: side,
    stroke: () => colours().soft,
    font: FONT,
    labelFont: FONT,
    label: label || undefined,
    labelSize: label ? 20 : 0,
    labelGap: 2,
    gap: 6,
    size: side === "x" ? 26 : (_u, texts) => Math.max(30, Math.ceil(textWidth(texts as unknown as string[])) + 14),
    grid: { stroke: () => colours().grid, width: 1 },
    ticks: { stroke: () => colours().line, width: 1, size: 4 },
    border: { show: true, stroke: () => colours().line, width: 1 },
    splits: (u, _i, low, high) => {
      const length = (side === "x" ? u.bbox.width : u.bbox.height) / (window.devicePixelRatio || 1);
      const count = Math.max(2, Math.floor((length || 300) / room));
      if (names) return linearTicks(low, high, Math.min(count, high - low)).filter((v) => Number.isInteger(v) && v >= 0 && v < names.length);
      return log ? logTicks(low, high, count) : linearTicks(low, high, count);
    },
    values: (_u, splits) => {
      state.power = 0;
      if (names) return splits.map((v) => names[v] ?? "");
      if (log) return logTexts(splits);
      const { texts, power } = tickTexts(splits);
      state.power = power;
      return texts;
    },
    filter: (_u, splits) => splits,
  };
}

export function makeAxes(panel: Panel, logX: boolean, logY: boolean, states: [AxisState, AxisState]): uPlot.Axis[] {
  return [axis("x", panel.x?.label, panel.x?.names, logX, states[0]), axis("y", panel.y?.label, panel.y?.names, logY, states[1])];
}

/** Powers of ten that all texts of an axis share, at its end. */
export function drawPowers(u: uPlot, states: [AxisState, AxisState]): void {
  const { ctx, bbox } = u;
  const d = window.devicePixelRatio || 1;
  ctx.save();
  ctx.font = `${11 * d}px system-ui, sans-serif`;
  ctx.fillStyle = colours().soft;
  if (states[0].power) {
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillText(powerText(states[0].power), bbox.left + bbox.width - 3 * d, bbox.top + bbox.height - 3 * d);
  }
  if (states[1].power) {
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    ctx.fillText(powerText(states[1].power), bbox.left + 4 * d, bbox.top + 4 * d);
  }
  ctx.restore();
}
