/** Things of each group, in their order, are spread evenly over the whole: those in a row are of many groups. */
export function spread<Thing>(things: readonly Thing[], groupOf: (thing: Thing) => string): Thing[] {
  const groups = [...Map.groupBy(things, groupOf).values()];
  const placed = groups.flatMap((group) => group.map((thing, i) => ({ thing, at: (i + 0.5) / group.length })));
  return placed.sort((one, other) => one.at - other.at).map(({ thing }) => thing);
}
