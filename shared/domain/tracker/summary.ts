import { minorAsNumber } from '#shared/domain/money.ts';

export interface SummedCell {
  readonly dimensions: { readonly projectId: string | null; readonly currency: string; readonly billable: boolean };
  readonly minutes: number;
  readonly billedMinutes: number;
  readonly amountMinor: bigint;
}

export interface Minutes {
  /** Of billable entries. */
  totalMinutes: number;
  /** Of all entries. */
  trackedMinutes: number;
  /** What is billed of the minutes of billable entries. */
  billedMinutes: number;
}

interface Sums extends Minutes {
  amountMinor: bigint;
}

/** Entries of a missing project count as without one. @param defaultCurrency unless one is billed */
export function summarize(
  cells: readonly SummedCell[],
  projectNames: ReadonlyMap<string, string>,
  defaultCurrency: string,
) {
  const visible = cells.map((cell) => {
    const { projectId } = cell.dimensions;
    return { ...cell, projectId: projectNames.has(projectId ?? '') ? projectId : null };
  });
  const byCurrency = sumBy(visible, ({ dimensions }) => dimensions.currency);
  const billable = new Set(cells.filter((cell) => cell.dimensions.billable).map((cell) => cell.dimensions.currency));
  const [single = defaultCurrency] = billable;
  const currency = billable.size === 1 ? single : defaultCurrency;
  const byProject = [...Map.groupBy(visible, ({ projectId }) => projectId)].flatMap(([projectId, ofProject]) =>
    [...sumBy(ofProject, ({ dimensions }) => dimensions.currency)].map(([ofCurrency, { amountMinor, ...minutes }]) => ({
      projectId,
      projectName: projectId === null ? null : (projectNames.get(projectId) ?? null),
      ...minutes,
      totalAmount: minorAsNumber(amountMinor, ofCurrency),
      currency: ofCurrency,
    })),
  );
  return {
    ...minutesTogether([...byCurrency.values()]),
    totalAmount: minorAsNumber(byCurrency.get(currency)?.amountMinor ?? 0n, currency),
    currency,
    byProject: byProject.sort(byNameThenCurrency),
    byCurrency: [...byCurrency]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([ofCurrency, { totalMinutes, billedMinutes, amountMinor }]) => ({
        currency: ofCurrency,
        totalMinutes,
        billedMinutes,
        totalAmount: minorAsNumber(amountMinor, ofCurrency),
      })),
  };
}

export function minutesTogether(parts: readonly Minutes[]): Minutes {
  return {
    totalMinutes: parts.reduce((sum, { totalMinutes }) => sum + totalMinutes, 0),
    trackedMinutes: parts.reduce((sum, { trackedMinutes }) => sum + trackedMinutes, 0),
    billedMinutes: parts.reduce((sum, { billedMinutes }) => sum + billedMinutes, 0),
  };
}

export function sumBy<Part extends SummedCell>(
  cells: readonly Part[],
  keyOf: (cell: Part) => string,
): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const cell of cells) {
    const sum = sums.get(keyOf(cell)) ?? { totalMinutes: 0, trackedMinutes: 0, billedMinutes: 0, amountMinor: 0n };
    sum.trackedMinutes += cell.minutes;
    if (cell.dimensions.billable) {
      sum.totalMinutes += cell.minutes;
      sum.billedMinutes += cell.billedMinutes;
    }
    sum.amountMinor += cell.amountMinor;
    sums.set(keyOf(cell), sum);
  }
  return sums;
}

interface Named {
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly currency: string;
}

function byNameThenCurrency(one: Named, other: Named): number {
  const sortKey = ({ projectId, projectName, currency }: Named) =>
    `${projectName ?? '\uffff'}\u0000${projectId ?? ''}\u0000${currency}`;
  return sortKey(one) < sortKey(other) ? -1 : 1;
}
