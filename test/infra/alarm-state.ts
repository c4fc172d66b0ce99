import * as v from 'valibot';

/** Says what CloudWatch makes of an alarm of a template, given what is measured. */

/** Undefined: nothing was measured. */
type Value = number | undefined;

const metricStat = v.object({ Period: v.number(), Stat: v.string() });

export const alarmProperties = v.object({
  AlarmName: v.string(),
  ComparisonOperator: v.picklist(['GreaterThanThreshold', 'LessThanThreshold']),
  Threshold: v.number(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.picklist(['breaching', 'notBreaching']),
  MetricName: v.optional(v.string()),
  Period: v.optional(v.number()),
  Statistic: v.optional(v.string()),
  ExtendedStatistic: v.optional(v.string()),
  Metrics: v.optional(
    v.array(v.object({ Id: v.string(), Expression: v.optional(v.string()), MetricStat: v.optional(metricStat) })),
    [],
  ),
});

export type AlarmProperties = v.InferOutput<typeof alarmProperties>;

/** What is measured in a minute: each value by itself. Minutes before 0 are the past. */
export type Measurements = (minute: number) => readonly number[];

/** By the name of the metric, or by its id in an expression. A metric that is left out has never been measured. */
export type Feed = Readonly<Record<string, Measurements>>;

/** Whether the alarm rings at any time from minute 0 on. */
export function rings(alarm: AlarmProperties, feed: Feed, minutes: number): boolean {
  const periodMinutes = periodSecondsOf(alarm) / 60;
  const ends = Array.from({ length: Math.ceil(minutes / periodMinutes) }, (_, period) => period);
  return ends.some((end) => isAlarming(alarm, (period) => pointOf(alarm, feed, period * periodMinutes), end));
}

/** CloudWatch looks at some periods more than it evaluates, so that data which come late are not missing. */
const MORE_PERIODS = 2;

function isAlarming(alarm: AlarmProperties, pointAt: (period: number) => Value, end: number): boolean {
  const { EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = alarm;
  const range = Array.from({ length: EvaluationPeriods + MORE_PERIODS }, (_, back) => pointAt(end - back));
  const measured = range.filter((point) => point !== undefined).slice(0, EvaluationPeriods);
  const missing = EvaluationPeriods - measured.length;
  const breaching = measured.filter((point) => breaches(alarm, point)).length;
  return breaching + (TreatMissingData === 'breaching' ? missing : 0) >= DatapointsToAlarm;
}

function breaches({ ComparisonOperator, Threshold }: AlarmProperties, point: number): boolean {
  return ComparisonOperator === 'GreaterThanThreshold' ? point > Threshold : point < Threshold;
}

function periodSecondsOf({ Period, Metrics }: AlarmProperties): number {
  const periods = new Set([Period, ...Metrics.map(({ MetricStat }) => MetricStat?.Period)].filter((each) => each));
  const [period] = periods;
  if (periods.size !== 1 || period === undefined) throw new Error('The metrics of an alarm have one period.');
  return period;
}

function pointOf(alarm: AlarmProperties, feed: Feed, from: number): Value {
  const { MetricName, Statistic, ExtendedStatistic, Metrics } = alarm;
  const minutes = periodSecondsOf(alarm) / 60;
  const measured = (name: string, stat: string): Value => {
    const values = Array.from({ length: minutes }, (_, minute) => feed[name]?.(from + minute) ?? []).flat();
    return statisticOf(stat, values);
  };
  if (MetricName) return measured(MetricName, Statistic ?? ExtendedStatistic ?? '');
  const points = Metrics.map(({ Id, MetricStat }) => [Id, MetricStat && measured(Id, MetricStat.Stat)] as const);
  const expression = Metrics.find(({ Expression }) => Expression)?.Expression ?? '';
  return evaluate(expression, Object.fromEntries(points));
}

const FUNCTIONS = {
  FILL: (value: Value, instead: number) => value ?? instead,
  IF: (condition: boolean, then: Value, otherwise: Value) => (condition ? then : otherwise),
};

/** JavaScript reads the operators of metric math alike. Without a value, or divided by zero, there is no result. */
function evaluate(expression: string, values: Readonly<Record<string, Value>>): Value {
  const known = { ...FUNCTIONS, ...values };
  const result = new Function(...Object.keys(known), `return ${expression};`)(...Object.values(known));
  return Number.isFinite(result) ? result : undefined;
}

function statisticOf(name: string, values: readonly number[]): Value {
  if (values.length === 0) return undefined;
  if (name === 'Sum') return values.reduce((sum, value) => sum + value, 0);
  if (name === 'SampleCount') return values.length;
  if (name === 'Maximum') return Math.max(...values);
  const [, percent] = /^p(\d+)$/.exec(name) ?? [];
  if (percent === undefined) throw new Error(`No alarm has had the statistic ${name} yet.`);
  return values.toSorted((a, b) => a - b)[Math.ceil((values.length * Number(percent)) / 100) - 1];
}
