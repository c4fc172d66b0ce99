import { minorAsNumber } from '#shared/domain/money.ts';

export interface SummedCell {
  readonly dimensions: { readonly projectId: string | null; readonly currency: string; readonly billable: boolean };
  readonly minutes: number;
  readonly billedMinutes: number;
  readonly amountMinor: bigint;
}

export interface Sums {
  billableMinutes: number;
  trackedMinutes: number;
  /** Of billable entries. */
  billedMinutes: number;
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
  const all = [...byCurrency.values()];
  const byProject = [...Map.groupBy(visible, ({ projectId }) => projectId)].flatMap(([projectId, ofProject]) =>
    [...sumBy(ofProject, ({ dimensions }) => dimensions.currency)].map(([ofCurrency, sums]) => ({
      projectId,
      projectName: projectId === null ? null : (projectNames.get(projectId) ?? null),
      totalMinutes: sums.billableMinutes,
      trackedMinutes: sums.trackedMinutes,
      billedMinutes: sums.billedMinutes,
      totalAmount: minorAsNumber(sums.amountMinor, ofCurrency),
      currency: ofCurrency,
    })),
  );
  return {
    totalMinutes: all.reduce((sum, { billableMinutes }) => sum + billableMinutes, 0),
    trackedMinutes: all.reduce((sum, { trackedMinutes }) => sum + trackedMinutes, 0),
    billedMinutes: all.reduce((sum, { billedMinutes }) => sum + billedMinutes, 0),
    totalAmount: minorAsNumber(byCurrency.get(currency)?.amountMinor ?? 0n, currency),
    currency,
    byProject: byProject.sort(byNameThenCurrency),
    byCurrency: [...byCurrency]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([ofCurrency, sums]) => ({
        currency: ofCurrency,
        totalMinutes: sums.billableMinutes,
        billedMinutes: sums.billedMinutes,
        totalAmount: minorAsNumber(sums.amountMinor, ofCurrency),
      })),
  };
}

export function sumBy<Part extends SummedCell>(
  cells: readonly Part[],
  keyOf: (cell: Part) => string,
): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const cell of cells) {
    const sum = sums.get(keyOf(cell)) ?? { billableMinutes: 0, trackedMinutes: 0, billedMinutes: 0, amountMinor: 0n };
    sum.trackedMinutes += cell.minutes;
    if (cell.dimensions.billable) {
      sum.billableMinutes += cell.minutes;
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
