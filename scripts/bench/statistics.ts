/** @returns the lower one of two in the middle, and NaN if there are no values */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length / 2) - 1] ?? Number.NaN;
}

/** @param measure tells one value */
export async function medianOf(rounds: number, measure: (round: number) => Promise<number>): Promise<number> {
  const values: number[] = [];
  while (values.length < rounds) values.push(await measure(values.length));
  return median(values);
}
