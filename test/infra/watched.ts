import * as v from 'valibot';

/** What alarms and dashboards look at, as the templates say it. */

const dimensions = v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), []);

const stat = v.object({ Metric: v.object({ Namespace: v.string(), MetricName: v.string(), Dimensions: dimensions }) });

export const watching = v.object({
  Namespace: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Dimensions: dimensions,
  Metrics: v.optional(v.array(v.object({ MetricStat: v.optional(stat) })), []),
});

/** `namespace name dimension value ...` of everything that an alarm looks at. */
export function watchedBy({
  Namespace = '',
  MetricName,
  Dimensions,
  Metrics,
}: v.InferOutput<typeof watching>): string[] {
  const computed = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
  const all = MetricName ? [{ Namespace, MetricName, Dimensions }] : computed;
  return all.map((one) => [one.Namespace, one.MetricName, ...one.Dimensions.map(({ Value }) => Value)].join(' '));
}
