/** RFC 9110, 12.4.2. Names are in lower case; a malformed weight is zero. */
export function weightsOf(header = ''): Map<string, number> {
  return new Map(
    header.split(',').map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
      return [name, weight === undefined ? 1 : Number(weight) || 0] as const;
    }),
  );
}

/** Whether a client names the type itself: a range of types is no wish for it. */
export function accepts(accept: string | undefined, type: string): boolean {
  return (weightsOf(accept).get(type) ?? 0) > 0;
}

/** If both types weigh the same, the closer range counts more: `text/csv` beside any other type asks for CSV. */
export function prefersCsv(accept: string | undefined): boolean {
  const weights = weightsOf(accept);
  const [csv, json] = [preference(weights, 'text/csv'), preference(weights, 'application/json')];
  if (csv.weight === json.weight) return csv.weight > 0 && csv.closeness > json.closeness;
  return csv.weight > json.weight;
}

function preference(weights: ReadonlyMap<string, number>, type: string) {
  const ranges = ['*/*', `${type.split('/')[0]}/*`, type];
  const closeness = ranges.findLastIndex((range) => weights.has(range));
  return { weight: weights.get(ranges[closeness] ?? '') ?? 0, closeness };
}
