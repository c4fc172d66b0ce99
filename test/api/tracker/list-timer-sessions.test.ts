import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer/sessions';

describe(`GET ${path}`, () => {
  let ana: User;
  /** Newest first: one running, and behind it by turns a discarded one and two stopped ones. */
  const sessions: Json[] = [];

  beforeAll(async () => {
    ana = await given.user();
    for (let i = 0; i < 6; i++) {
      const { id } = await given.timer(ana, { description: `Session ${i}` });
      const discards = i % 3 === 2;
      const { data } = (await ana.post(`/v1/work/tracker/timer/${id}/${discards ? 'discard' : 'stop'}`)).body;
      sessions.unshift(discards ? data : data.session);
    }
    sessions.unshift(await given.timer(ana));
    const bea = await given.user({ organization: ana.organization });
    await given.timer(bea);
  });

  const idsWith = (status: string) => sessions.filter((session) => session.status === status).map(({ id }) => id);

  it.each([
    ['running', 1],
    ['stopped', 4],
    ['discarded', 2],
  ])('lists and counts those that are %s', async (status, total) => {
    const { body } = await ana.get(path, { status });
    expect(body.data.map(({ id }: Json) => id)).toEqual(idsWith(status));
    expect(body.meta).toEqual({ total, limit: 50, offset: 0 });
  });

  it('shows no link to a project from the moment of its deletion, in old sessions too', async () => {
    const dora = await given.user();
    const [kept, deleted] = [await given.project(dora), await given.project(dora)];
    for (const { id: projectId } of [deleted, kept]) {
      const { id } = await given.timer(dora, { projectId });
      await dora.post(`/v1/work/tracker/timer/${id}/stop`);
    }
    await dora.delete(`/v1/work/tracker/projects/${deleted.id}`);
    const { body } = await dora.get(path);
    expect(body.data.map(({ projectId }: Json) => projectId)).toEqual([kept.id, null]);
  });
});
