/** Draws curves as SVG: readable on a white and on a black page, with a logarithmic x axis and a linear y axis from zero. */

interface Curve {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Panel {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly Curve[];
}

const PANEL = { width: 430, height: 300, left: 56, right: 16, top: 40, bottom: 84 };

const PLOT = {
  width: PANEL.width - PANEL.left - PANEL.right,
  height: PANEL.height - PANEL.top - PANEL.bottom,
};

/** Of middling lightness, so that they stand out on white and on black. */
const COLORS = ['#2f81f7', '#d9822b', '#2da44e', '#bf4b8a', '#8957e5'];
const INK = '#808890';

export function drawPanels(panels: readonly Panel[]): string {
  const width = PANEL.width * panels.length;
  const body = panels.map((panel, i) => `<g transform="translate(${i * PANEL.width} 0)">${drawPanel(panel)}</g>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${PANEL.height}" width="${width}" height="${PANEL.height}" role="img"`,
    ` font-family="system-ui, sans-serif" font-size="11" fill="${INK}">`,
    `<title>${panels.map(({ title }) => escaped(title)).join('; ')}</title>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}

interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

function drawPanel({ title, xLabel, yLabel, curves }: Panel): string {
  const points = curves.flatMap((curve) => curve.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((one, other) => one - other);
  const yTicks = ticksUpTo(Math.max(...points.map(({ y }) => y), 0));
  const scale = scaleOf(xs, yTicks.at(-1) ?? 1);
  return [
    text(PANEL.left, 20, title, 'font-weight="600" font-size="13"'),
    ...yTicks.map((tick) => yLine(scale, tick)),
    ...xs.map((x) => text(scale.x(x), PANEL.top + PLOT.height + 16, x.toLocaleString('en'), 'text-anchor="middle"')),
    text(PANEL.left + PLOT.width / 2, PANEL.top + PLOT.height + 34, xLabel, 'text-anchor="middle"'),
    `<text transform="translate(14 ${PANEL.top + PLOT.height / 2}) rotate(-90)" text-anchor="middle">${escaped(yLabel)}</text>`,
    ...curves.map((curve, i) => drawCurve(curve, scale, COLORS[i % COLORS.length] ?? INK)),
    ...curves.map((curve, i) => legend(curve, i, COLORS[i % COLORS.length] ?? INK)),
  ].join('\n');
}

function scaleOf(xs: readonly number[], yMax: number): Scale {
  const [first, last] = [Math.log10(xs.at(0) ?? 1), Math.log10(xs.at(-1) ?? 10)];
  const inset = 24;
  const share = (value: number) => (last === first ? 0.5 : (Math.log10(value) - first) / (last - first));
  return {
    x: (value) => round(PANEL.left + inset + share(value) * (PLOT.width - 2 * inset)),
    y: (value) => round(PANEL.top + PLOT.height * (1 - value / yMax)),
  };
}

const STEPS = [1, 2, 2.5, 5, 10];
const MOST_INTERVALS = 5;

/** Round numbers from zero to the first that is not below the largest value. */
function ticksUpTo(largest: number): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(largest, 1) / MOST_INTERVALS));
  const step = (STEPS.find((each) => each * magnitude * MOST_INTERVALS >= largest) ?? 10) * magnitude;
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

function yLine(scale: Scale, tick: number): string {
  const y = scale.y(tick);
  const line = `<line x1="${PANEL.left}" x2="${PANEL.left + PLOT.width}" y1="${y}" y2="${y}" stroke="${INK}" stroke-opacity="0.25"/>`;
  return line + text(PANEL.left - 6, y + 4, tick.toLocaleString('en'), 'text-anchor="end"');
}

function drawCurve({ points }: Curve, { x, y }: Scale, color: string): string {
  const path = points.map((point) => `${x(point.x)},${y(point.y)}`).join(' ');
  const dots = points.map((point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3" fill="${color}"/>`);
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}`;
}

const LEGEND_COLUMNS = 2;

function legend({ name }: Curve, position: number, color: string): string {
  const x = PANEL.left + (position % LEGEND_COLUMNS) * (PLOT.width / LEGEND_COLUMNS);
  const y = PANEL.top + PLOT.height + 54 + Math.floor(position / LEGEND_COLUMNS) * 16;
  return `<circle cx="${x + 4}" cy="${y - 4}" r="4" fill="${color}"/>${text(x + 14, y, name, '')}`;
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
