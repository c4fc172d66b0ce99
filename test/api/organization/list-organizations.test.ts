import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

const PATH = '/v1/organizations';

const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

/** Other tests make and delete organizations meanwhile. */
describe('GET /v1/organizations', () => {
  let platform: Client;

  beforeAll(async () => {
    platform = await given.platform();
  });

  it('shows all organizations, newest first, page by page', async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.push((await given.organization()).id);
    const { body } = await platform.get(PATH, { limit: 200 });
    expect(idsOf(body).filter((id) => made.includes(id))).toEqual(made.toReversed());
    expect(idsOf(body)).toEqual(idsOf(body).toSorted().toReversed());
    expect(body.meta.total).toBeGreaterThanOrEqual(3);
    const position = idsOf(body).indexOf(made[1] ?? '');
    const page = (await platform.get(PATH, { limit: 2, offset: position })).body;
    expect(page).toMatchObject({ meta: { limit: 2, offset: position } });
    expect(page.data).toHaveLength(2);
    expect((await platform.get(PATH, { offset: 1_000_000 })).body.data).toEqual([]);
  });

  it('finds those of a status', async () => {
    const [kept, gone] = [await given.organization(), await given.organization()];
    await platform.delete(`${PATH}/${gone.id}`);
    const [active, deleting] = [
      (await platform.get(PATH, { status: 'active', limit: 200 })).body,
      (await platform.get(PATH, { status: 'deleting', limit: 200 })).body,
    ];
    expect([idsOf(active).includes(kept.id), idsOf(active).includes(gone.id)]).toEqual([true, false]);
    expect([idsOf(deleting).includes(kept.id), idsOf(deleting).includes(gone.id)]).toEqual([false, true]);
    expect(deleting.data.every(({ status }: Json) => status === 'deleting')).toBe(true);
  });
});
