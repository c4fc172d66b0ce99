import { describe, expect, it } from 'vitest';
import { type AlarmProperties, alarmProperties, type Feed, type Measurements, rings } from './alarm-state.ts';
import { realStacks } from './stacks.ts';

/** Feeds each alarm with what must wake a person, and with what must not. */

const DAY = 24 * 60;

/** @param values of each minute in which something happens */
const always =
  (...values: readonly number[]): Measurements =>
  () =>
    values;

const every = (minutes: number, ...values: readonly number[]): Measurements => during(-DAY, 2 * DAY, minutes, values);

const once = (...values: readonly number[]): Measurements => during(0, 1, 1, values);

const inFirst = (minutes: number, ...values: readonly number[]): Measurements => during(0, minutes, 1, values);

function during(from: number, to: number, step: number, values: readonly number[]): Measurements {
  return (minute) => (minute >= from && minute < to && minute % step === 0 ? values : []);
}

const times = (count: number, value: number): number[] => Array<number>(count).fill(value);

interface Cases {
  /** By what happens. */
  readonly rings: Readonly<Record<string, Feed>>;
  readonly isSilent: Readonly<Record<string, Feed>>;
}

const atTheFirst = (happened: string, metric: string): Cases => ({
  rings: { [happened]: { [metric]: once(1) } },
  isSilent: { 'none of them all day': { [metric]: always(0) } },
});

const afterTenMinutes = (happened: string, metric: string): Cases => ({
  rings: { [`${happened} for ten minutes`]: { [metric]: inFirst(10, 1) } },
  isSilent: { [`${happened} for a moment`]: { [metric]: once(40) }, 'none at all': { [metric]: always(0) } },
});

const OF_API: Readonly<Record<string, Cases>> = {
  'server-errors': {
    rings: {
      'six failures at once': { failed: once(6) },
      'six failures at once, and others of the provider later': {
        failed: once(6),
        ofProvider: during(10, DAY, 60, [3]),
      },
    },
    isSilent: {
      'five failures at once': { failed: once(5) },
      'failures of the provider alone': { failed: always(4), ofProvider: always(4) },
    },
  },
  'repeated-errors': {
    rings: {
      'an endpoint that always fails, which one customer calls once an hour': { failed: every(60, 1) },
      'an endpoint that always fails, which one customer calls three times a day': { failed: every(160, 1) },
    },
    isSilent: {
      'a bad half hour': { failed: inFirst(30, 1) },
      'a failure every five hours': { failed: every(300, 1) },
      'failures of the provider alone': { failed: every(60, 1), ofProvider: every(60, 1) },
    },
  },
  'slow-requests': {
    rings: { 'one request in fifty that takes four seconds': { Duration: always(...times(49, 80), 4_000) } },
    isSilent: {
      'one request in two hundred that takes four seconds': { Duration: always(...times(199, 80), 4_000) },
      'ten minutes in which all take four seconds': { Duration: inFirst(10, 4_000) },
    },
  },
  'cold-starts': {
    rings: { 'functions that end after each of many requests': { answered: always(60), cold: always(60) } },
    isSilent: {
      'a small team, whose requests all find no function': { answered: always(3), cold: always(3) },
      'many requests, a tenth of them cold': { answered: always(60), cold: always(6) },
      'a deployment, after which all functions start anew': { answered: always(60), cold: inFirst(8, 60) },
    },
  },
  'refused-requests': {
    rings: { 'a stranger who uses up the rate of the stage for ten minutes': { RefusedRequests: inFirst(10, 300) } },
    isSilent: { 'a burst': { RefusedRequests: inFirst(3, 300) } },
  },
  concurrency: {
    rings: { 'ten minutes with 810 functions of 1,000': { ClaimedAccountConcurrency: inFirst(10, 810) } },
    isSilent: {
      '790 functions of 1,000 all day': { ClaimedAccountConcurrency: always(790) },
      'a peak of 990 functions': { ClaimedAccountConcurrency: inFirst(3, 990) },
    },
  },
  'function-throttles': afterTenMinutes('functions that may not start', 'Throttles'),
  'table-read-throttles': afterTenMinutes('an index that refuses reads', 'read3'),
  'table-write-throttles': afterTenMinutes('a table that refuses writes', 'write0'),
  'stuck-import-jobs': atTheFirst('a job that the sweep had to close', 'StuckImportJobs'),
  'sync-failures': {
    rings: {
      'a provider that fails all three connections of a small service': {
        handled: every(60, 9, 9, 9),
        failed: every(60, 1, 1, 1),
      },
      'a provider that fails most of many': { handled: always(...times(10, 9)), failed: always(...times(6, 1)) },
    },
    isSilent: {
      'a provider that fails one connection of three': { handled: every(60, 9, 9, 9), failed: every(60, 1) },
      'a provider that fails for two hours': { handled: every(60, 9, 9, 9), failed: inFirst(120, 1) },
      'connections that are synced once a day': { handled: every(DAY, 9) },
    },
  },
};

const ofQueue = (name: string): Readonly<Record<string, Cases>> => ({
  [`${name}-stale`]: {
    rings: {
      'a message that waits for sixteen minutes': { ApproximateAgeOfOldestMessage: once(960) },
    },
    isSilent: {
      'messages that wait for ten minutes': { ApproximateAgeOfOldestMessage: always(600) },
    },
  },
  [`${name}-dead`]: atTheFirst('a message whose worker died each time', 'ApproximateNumberOfMessagesVisible'),
});

const ofDeadLetterWorker = (name: string): Readonly<Record<string, Cases>> => ({
  [`${name}-abandoned`]: atTheFirst('work that was given up', 'Invocations'),
});

const ofSchedule = (name: string): Readonly<Record<string, Cases>> => ({
  [`${name}-errors`]: {
    rings: { 'three runs in a row that fail': { Errors: every(5, 1) } },
    isSilent: {
      'two runs in a row that fail': { Errors: during(0, 10, 5, [1]) },
      'no such run': { Errors: every(5, 0) },
    },
  },
  [`${name}-undelivered`]: atTheFirst(
    'an event that EventBridge could not deliver',
    'ApproximateNumberOfMessagesVisible',
  ),
  [`${name}-silent`]: {
    rings: { 'a rule that was disabled just now': { Invocations: during(-DAY, 0, 5, [1]) } },
    isSilent: {
      'a run every five minutes': { Invocations: every(5, 1) },
      'two runs of three left out': { Invocations: every(15, 1) },
    },
  },
});

const stacks = await realStacks();
const { queues, schedules } = stacks.tables;

const CASES: Readonly<Record<string, Cases>> = Object.assign(
  { ...OF_API },
  ...queues.map(({ name }) => ofQueue(name)),
  ...queues.flatMap(({ name, deadLetterWorker }) => (deadLetterWorker ? [ofDeadLetterWorker(name)] : [])),
  ...schedules.map(({ name }) => ofSchedule(name)),
);

const alarms = new Map<string, AlarmProperties>(
  stacks
    .ofType('AWS::CloudWatch::Alarm', alarmProperties)
    .map(({ properties }) => [properties.AlarmName.replace(/^billwright-/, ''), properties]),
);

describe('alarms', () => {
  it('are those that the cases below make ring, and no others', () => {
    expect([...alarms.keys()].sort()).toEqual(Object.keys(CASES).sort());
  });

  describe.each(Object.entries(CASES))('%s', (name, { rings: loud, isSilent: quiet }) => {
    const ringsWith = (feed: Feed) => {
      const alarm = alarms.get(name);
      if (!alarm) throw new Error(`There is no alarm ${name}.`);
      const known = [alarm.MetricName, ...alarm.Metrics.map(({ Id }) => Id)];
      expect(known).toEqual(expect.arrayContaining(Object.keys(feed)));
      return rings(alarm, feed, DAY);
    };

    it('takes silence for health, but for what must run all the time', () => {
      expect(ringsWith({})).toBe(name.endsWith('-silent'));
    });

    it.each(Object.entries(loud))('rings: %s', (_, feed) => {
      expect(ringsWith(feed)).toBe(true);
    });

    it.each(Object.entries(quiet))('keeps silent: %s', (_, feed) => {
      expect(ringsWith(feed)).toBe(false);
    });
  });
});
