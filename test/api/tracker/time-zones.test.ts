import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const entries = '/v1/work/tracker/entries';

const LOS_ANGELES = 'America/Los_Angeles';
const sunday = '2026-11-22';

/** In Los Angeles it is a Sunday evening, and in UTC it is Monday. */
const startedAt = new Date('2026-11-23T04:00:00.000Z');

const spanOf = ({ startedAt: from, endedAt: to }: Json) => [from, to];

let ana: User;

beforeEach(async () => {
  ana = await given.user({ timeZone: LOS_ANGELES });
});

const change = (id: string, body: Json, by = ana) => by.patch(`${entries}/${id}`, body);
const clockTimes = (startTime: string, endTime: string) => ({ startTime, endTime });

describe('a timer of a Sunday evening in Los Angeles', () => {
  it('is booked on Sunday, whatever the zone of the organization is', async () => {
    await ana.patch('/v1/organization', { timeZone: 'Asia/Tokyo' });
    const { id } = await given.timerSince(ana, startedAt);
    const { workEntry } = (await ana.post(`/v1/work/tracker/timer/${id}/stop`)).body.data;
    const entryDate = `${sunday}T00:00:00.000Z`;
    expect(workEntry).toMatchObject({ entryDate, startedAt: startedAt.toISOString() });
    expect((await ana.get(entries, { dateFrom: sunday, dateTo: sunday })).body.data).toEqual([workEntry]);
  });

  it('is booked in the zone of the organization, if the user has none, and else on Monday', async () => {
    const [bea, cyd] = [await given.user(), await given.user()];
    await bea.patch('/v1/organization', { timeZone: LOS_ANGELES });
    for (const [by, date] of [
      [bea, sunday],
      [cyd, '2026-11-23'],
    ] as const) {
      const { id } = await given.timerSince(by, startedAt);
      const { workEntry } = (await by.post(`/v1/work/tracker/timer/${id}/stop`)).body.data;
      expect(workEntry.entryDate).toBe(`${date}T00:00:00.000Z`);
    }
  });
});

describe('clock times', () => {
  it('are those of the zone of the user, on the date of the entry', async () => {
    const evening = await given.entry(ana, { entryDate: sunday, ...clockTimes('20:00', '01:30') });
    expect(evening.entryDate).toBe(`${sunday}T00:00:00.000Z`);
    expect(spanOf(evening)).toEqual(['2026-11-23T04:00:00.000Z', '2026-11-23T09:30:00.000Z']);
  });

  it('are those of whom an admin names, whose the entry becomes, while the name alone moves no instant', async () => {
    const bea = await given.user({ organization: ana.organization });
    const asAna = ['2026-11-22T17:00:00.000Z', '2026-11-22T18:00:00.000Z'];
    const asBea = ['2026-11-22T09:00:00.000Z', '2026-11-22T10:00:00.000Z'];
    const times = { entryDate: sunday, ...clockTimes('09:00', '10:00') };
    const entry = await given.entry(bea, { ...times, userId: ana.userId });
    expect(spanOf(entry)).toEqual(asAna);
    expect(spanOf((await change(entry.id, { userId: bea.userId })).body.data)).toEqual(asAna);
    expect(spanOf((await change(entry.id, clockTimes('09:00', '10:00'))).body.data)).toEqual(asBea);
    const moved = await change(entry.id, { userId: ana.userId, ...clockTimes('09:00', '10:00') });
    expect(spanOf(moved.body.data)).toEqual(asAna);
  });

  it('are of the zone of now, and those of before stay the instants that they were', async () => {
    const bea = await given.user();
    const times = { entryDate: sunday, ...clockTimes('09:00', '10:00') };
    const made = [];
    for (const timeZone of [null, LOS_ANGELES, 'Asia/Tokyo']) {
      await bea.patch('/v1/organization', { timeZone });
      made.unshift(await given.entry(bea, times));
    }
    expect(made.map((entry) => entry.startedAt.slice(0, 13))).toEqual([
      '2026-11-22T00',
      '2026-11-22T17',
      '2026-11-22T09',
    ]);
    for (const entry of made) expect((await bea.get(`${entries}/${entry.id}`)).body.data).toEqual(entry);
  });
});
