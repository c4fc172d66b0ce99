import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

const path = '/v1/work/tracker/entries';

describe('DELETE /v1/work/tracker/entries/{id}', () => {
  it('removes the entry and what it added, once, also when many delete at the same moment', async () => {
    const ana = await given.user();
    const project = await given.project(ana);
    const [kept, removed] = [
      await given.entry(ana, { projectId: project.id }),
      await given.entry(ana, { projectId: project.id }),
    ];
    const replies = await Promise.all(Array.from({ length: 10 }, () => ana.delete(`${path}/${removed.id}`)));
    expect(replies.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([
      { success: true, id: removed.id },
    ]);
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(9);
    const list = await ana.get(path);
    expect(list.body).toMatchObject({ data: [{ id: kept.id }], meta: { total: 1 } });
    expect((await ana.get(`/v1/work/tracker/projects/${project.id}`)).body.data.totalMinutes).toBe(60);
  });
});
