import { beforeEach, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer';

describe(`POST ${path}/{sessionId}/discard`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user();
  });

  const active = async () => (await ana.get(`${path}/active`)).body.data;

  it('ends the session and books nothing', async () => {
    const running = await given.timerSince(ana, new Date(Date.now() - 150_000));
    const before = await active();
    const reply = await ana.post(`${path}/${running.id}/discard`);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      ...before,
      status: 'discarded',
      stoppedAt: expect.any(String),
      durationMinutes: 3,
      updatedAt: reply.body.data.stoppedAt,
    });
    expect(await active()).toBeNull();
    expect((await ana.get('/v1/work/tracker/entries')).body.meta.total).toBe(0);
  });

  it.each(['discard', 'stop'])(
    'answers 409 with the session once it is over, and with the entry, if any, after a %s',
    async (end) => {
      const { id } = await given.timer(ana);
      const { data } = (await ana.post(`${path}/${id}/${end}`)).body;
      const { session, workEntry } = end === 'stop' ? data : { session: data, workEntry: null };
      const late = await ana.post(`${path}/${id}/discard`);
      expect(late).toMatchObject({ status: 409, body: { code: 'timer_not_running', session, workEntry } });
    },
  );
});
