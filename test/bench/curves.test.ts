import { expect, it } from 'vitest';
import { drawPanels } from '#scripts/bench/curves.ts';

const panel = {
  title: 'Read units & more',
  xLabel: 'entries',
  yLabel: 'units',
  curves: [
    { name: 'flat', points: [1_000, 10_000, 100_000].map((x) => ({ x, y: 7 })) },
    { name: 'tenfold', points: [1_000, 10_000, 100_000].map((x) => ({ x, y: x / 1_000 })) },
  ],
};

function pointsOf(svg: string): [x: number, y: number][][] {
  return [...svg.matchAll(/points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point): [number, number] => {
      const [x = Number.NaN, y = Number.NaN] = point.split(',').map(Number);
      return [x, y];
    }),
  );
}

it('curves of equal values are level, and each tenth power lies as far from the next as from the one before', () => {
  const [flat = [], tenfold = []] = pointsOf(drawPanels([panel]));
  expect(new Set(flat.map(([, y]) => y)).size).toBe(1);
  const [first = 0, second = 0, third = 0] = tenfold.map(([x]) => x);
  expect(second - first).toBeCloseTo(third - second);
  const heights = tenfold.map(([, y]) => y);
  expect(heights).toEqual(heights.toSorted((one, other) => other - one));
});

it('curves lie inside of the drawing, whose text is escaped', () => {
  const svg = drawPanels([panel, panel]);
  const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
  for (const [x, y] of pointsOf(svg).flat()) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(width / 2);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(height);
  }
  expect(svg).toContain('Read units &amp; more');
});
