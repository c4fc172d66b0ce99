import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

const PATH = '/v1/work/tracker/projects';

describe(`DELETE ${PATH}/{id}`, () => {
  it('answers the id, leaves nothing in the list, and frees the name, also one that it got by a rename', async () => {
    const ana = await given.user();
    const project = await given.project(ana, { name: 'First' });
    await ana.patch(`${PATH}/${project.id}`, { name: 'Second' });
    const reply = await ana.delete(`${PATH}/${project.id}`);
    expect(reply).toMatchObject({ status: 200, body: { success: true, id: project.id } });
    expect((await ana.get(`${PATH}/${project.id}`)).status).toBe(404);
    expect((await ana.get(PATH)).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await ana.post(PATH, { name: 'second' })).status).toBe(201);
    expect((await ana.post(PATH, { name: 'first' })).status).toBe(201);
  });

  it('leaves no name behind, however it races with renames', async () => {
    const ana = await given.user();
    for (let round = 0; round < 5; round++) {
      const names = [`A${round}`, `B${round}`, `C${round}`];
      const project = await given.project(ana, { name: names[0] });
      await Promise.all([
        ana.patch(`${PATH}/${project.id}`, { name: names[1] }),
        ana.delete(`${PATH}/${project.id}`),
        ana.patch(`${PATH}/${project.id}`, { name: names[2] }),
      ]);
      for (const name of names) expect((await ana.post(PATH, { name })).status, name).toBe(201);
    }
  });
});
