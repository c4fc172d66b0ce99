import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler as eraseOrganization } from '#functions/organization/erase-organization.ts';
import { wildcard } from '#scripts/local/wildcard.ts';
import { breakerKey, organizationCountKey } from '#shared/data/layout/keys.ts';
import { partitionsOf } from '#shared/data/layout/kinds.ts';
import { beginDeletion } from '#shared/data/organization/deletions.ts';
import { readOrganization } from '#shared/data/organization/organizations.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { deletionOf } from '#shared/domain/organization/deletion.ts';
import { giveEverything } from '#test/support/everything.ts';
import { given, type User } from '#test/support/given.ts';
import { deliver } from '#test/support/imports.ts';
import { deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { exactly, scanTable } from '#test/support/table-scan.ts';

useKilling();
useOwnCloud();

type Item = Readonly<Record<string, unknown>>;

/** Every item of the table, by whether it tells of an organization. How many there are is nobody's. */
async function itemsOf({ organization }: User): Promise<{ readonly own: Item[]; readonly others: Item[] }> {
  const [own, others]: [Item[], Item[]] = [[], []];
  for await (const item of scanTable()) {
    if (exactly(item).includes(organization.id)) own.push(item);
    else if (item.pk !== organizationCountKey.pk) others.push(item);
  }
  return { own, others };
}

async function putBack(items: readonly Item[]): Promise<void> {
  for (const batch of batchesOf(items, 25)) {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    await database.send(new BatchWriteCommand({ RequestItems: { [TABLE_NAME]: requests } }));
  }
}

async function deleteOrganization({ organization }: User): Promise<void> {
  const stored = await readOrganization(organization.id);
  await beginDeletion(stored, deletionOf(stored, new Date()), new Date());
}

const messageOf = ({ organization }: User) => ({ organizationId: organization.id, dueAt: new Date().toISOString() });

const erase = (by: User) => deliver(eraseOrganization, messageOf(by));

/** The partitions of the layout in which none of the items lies. */
function missingIn(items: readonly Item[]): string[] {
  const partitions = [...new Set(items.map(({ pk }) => String(pk)))];
  const patterns = Object.values(partitionsOf).flat();
  return patterns.filter((pattern) => !partitions.some((partition) => wildcard(pattern).test(partition)));
}

describe('an organization that is removed', () => {
  it('leaves nothing in the table, and nothing of others is touched', async () => {
    const [ana, bea] = [await given.user(), await given.user()];
    await giveEverything(ana);
    await giveEverything(bea);
    const before = await itemsOf(ana);
    expect(missingIn(before.own)).toEqual([organizationCountKey.pk, breakerKey.pk]);
    await deleteOrganization(ana);
    expect(await erase(ana)).toBe(true);
    const after = await itemsOf(ana);
    expect(after.own).toEqual([]);
    expect(after.others.map(exactly)).toEqual(before.others.map(exactly));
  });

  it('is removed by the next worker, wherever the first one dies', { timeout: 120_000 }, async () => {
    const ana = await given.user();
    await giveEverything(ana);
    await deleteOrganization(ana);
    const { own } = await itemsOf(ana);
    const { writes } = await mayDie(undefined, () => erase(ana));
    for (const death of deathsOf(writes)) {
      await putBack(own);
      expect((await mayDie(death, () => erase(ana))).outcome).toBe('killed');
      expect(await erase(ana)).toBe(true);
      expect((await itemsOf(ana)).own, `${death.moment} write ${death.write}`).toEqual([]);
    }
  });
});
