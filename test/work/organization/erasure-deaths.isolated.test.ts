import { expect, it } from 'vitest';
import { deleteOrganization, erase, itemsOf } from '#test/support/deletions.ts';
import { giveEverything } from '#test/support/everything.ts';
import { given } from '#test/support/given.ts';
import { deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { putItems } from '#test/support/table-scan.ts';

useKilling();
useOwnCloud();

it('an organization is removed by the next worker, wherever the first one dies', { timeout: 400_000 }, async () => {
  const ana = await given.user();
  await giveEverything(ana);
  await deleteOrganization(ana);
  const { own } = await itemsOf(ana);
  const { writes } = await mayDie(undefined, () => erase(ana));
  for (const death of deathsOf(writes)) {
    await putItems(own);
    expect((await mayDie(death, () => erase(ana))).outcome).toBe('killed');
    expect(await erase(ana)).toBe(true);
    expect((await itemsOf(ana)).own, `${death.moment} write ${death.write}`).toEqual([]);
  }
});
