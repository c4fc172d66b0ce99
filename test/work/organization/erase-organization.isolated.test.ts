import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { handler as eraseOrganization } from '#functions/organization/erase-organization.ts';
import { partitionsOf } from '#infra/item-kinds.ts';
import { wildcard } from '#scripts/local/wildcard.ts';
import {
  apiKeyIdKey,
  apiKeyKey,
  apiKeyPartition,
  breakerKey,
  organizationCountKey,
  personPartitions,
  rosterPartition,
  webhookPartition,
} from '#shared/data/layout/keys.ts';
import { beginDeletion, endDeletion, listDueDeletions, moveDeletion } from '#shared/data/organization/deletions.ts';
import {
  findOrganizationById,
  readOrganizations,
  requireOrganization,
} from '#shared/data/organization/organizations.ts';
import { findConnection } from '#shared/data/remote/connection.ts';
import { database } from '#shared/data/table/database.ts';
import { deletionOf, leaseEnd, quietFrom } from '#shared/domain/organization/deletion.ts';
import { deleteOrganization, erase, type Item, itemsOf, messageOf } from '#test/support/deletions.ts';
import { giveEverything } from '#test/support/everything.ts';
import { given, type User } from '#test/support/given.ts';
import { deliver } from '#test/support/imports.ts';
import { useKilling } from '#test/support/kill.ts';
import { useLog } from '#test/support/log.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { saveCredential } from '#test/support/syncs.ts';
import { exactly } from '#test/support/table-scan.ts';

useKilling();
useOwnCloud();
const { written, recordLog } = useLog();

/** The partitions of the layout in which none of the items lies. */
function missingIn(items: readonly Item[]): string[] {
  const partitions = [...new Set(items.map(({ pk }) => String(pk)))];
  const patterns = Object.values(partitionsOf).flat();
  return patterns.filter((pattern) => !partitions.some((partition) => wildcard(pattern).test(partition)));
}

const dueOf = async ({ organization }: User, now: Date) =>
  (await listDueDeletions(now)).find(({ organizationId }) => organizationId === organization.id);

/** But for the bucket of a user who has signed in, which goes with the link to the person. */
const KEYS = [apiKeyKey('?'.repeat(64)).pk, apiKeyIdKey('*').pk, apiKeyPartition('*'), rosterPartition('*')];

function deletedBy(command: unknown): Item[] {
  const requests = command instanceof BatchWriteCommand ? Object.values(command.input.RequestItems ?? {}).flat() : [];
  return requests.flatMap(({ DeleteRequest }) => DeleteRequest?.Key ?? []);
}

/** How many organizations the list of each status says there are. */
async function totals() {
  const totalOf = async (status: 'active' | 'deleting') =>
    (await readOrganizations({ status, limit: 1, offset: 0 })).total;
  return { active: await totalOf('active'), deleting: await totalOf('deleting') };
}

const seconds = (count: number) => new Date(Date.now() + count * 1_000);

describe('an organization that is removed', () => {
  it('leaves nothing in the table, and nothing of others is touched, and is logged', { timeout: 60_000 }, async () => {
    const [ana, bea] = [await given.user(), await given.user()];
    await giveEverything(ana);
    await giveEverything(bea);
    const before = await itemsOf(ana);
    expect(missingIn(before.own)).toEqual([organizationCountKey.pk, apiKeyKey(personPartitions).pk, breakerKey.pk]);
    await deleteOrganization(ana);
    recordLog();
    expect(await erase(ana)).toBe(true);
    const removed = new RegExp(`"organization removed".*"organizationId":"${ana.organization.id}"`);
    expect(written).toEqual(expect.arrayContaining([expect.stringMatching(removed)]));
    const after = await itemsOf(ana);
    expect(after.own).toEqual([]);
    expect(after.others.map(exactly)).toEqual(before.others.map(exactly));
  });

  it('is counted once among those that are deleted, and then no more, however often both are asked for', async () => {
    const ana = await given.user();
    const { id } = ana.organization;
    const { active, deleting } = await totals();
    await deleteOrganization(ana);
    const begun = await requireOrganization(id);
    await beginDeletion(begun, deletionOf(begun, new Date()), new Date());
    expect(await totals()).toEqual({ active: active - 1, deleting: deleting + 1 });
    expect(await erase(ana)).toBe(true);
    await endDeletion(id);
    expect(await totals()).toEqual({ active: active - 1, deleting });
  });

  it('loses its webhooks and then its keys first, so that none is left whatever comes of the rest', async () => {
    const ana = await given.user();
    await giveEverything(ana);
    await deleteOrganization(ana);
    const isOfKeys = ({ pk }: Item) => KEYS.some((pattern) => wildcard(pattern).test(String(pk)));
    const keys = (await itemsOf(ana)).own.filter(isOfKeys);
    const { calls } = vi.mocked(database.send).mock;
    const before = calls.length;
    expect(await erase(ana)).toBe(true);
    const removed = calls.slice(before).flatMap(([command]) => deletedBy(command));
    expect(removed.shift()?.pk).toBe(webhookPartition(ana.organization.id));
    expect(keys.length).toBeGreaterThan(3);
    expect(removed.length).toBeGreaterThan(keys.length);
    expect(removed.slice(0, keys.length).filter((key) => !isOfKeys(key))).toEqual([]);
  });

  it('was being deleted: a message about any other, or about what is gone, does nothing', async () => {
    const ana = await given.user();
    const { own } = await itemsOf(ana);
    expect(await erase(ana)).toBe(true);
    expect((await itemsOf(ana)).own).toEqual(own);
    await deleteOrganization(ana);
    recordLog();
    for (let sent = 0; sent < 2; sent++) expect(await erase(ana)).toBe(true);
    expect(written.filter((line) => line.includes('organization removed'))).toHaveLength(1);
  });

  it('is there until a worker has had enough time, and is due again at once meanwhile', async () => {
    const ana = await given.user();
    await deleteOrganization(ana);
    expect(await dueOf(ana, seconds(0))).toBeUndefined();
    const due = await dueOf(ana, seconds(100));
    const leased = leaseEnd(new Date());
    // An answer may be lost: the second write finds its own.
    for (let sent = 0; due && sent < 2; sent++) expect(await moveDeletion(due, leased)).toBe(true);
    expect(await dueOf(ana, seconds(100))).toBeUndefined();
    const late = { getRemainingTimeInMillis: () => 20_000 };
    const message = { ...messageOf(ana), dueAt: leased };
    await deliver(eraseOrganization, message, late);
    expect((await findOrganizationById(ana.organization.id))?.status).toBe('deleting');
    expect(await dueOf(ana, seconds(1))).toBeDefined();
    expect(await erase(ana)).toBe(true);
    expect(await findOrganizationById(ana.organization.id)).toBeUndefined();
  });

  it('is due again where its worker and all deliveries of the message have died', async () => {
    const ana = await given.user();
    await deleteOrganization(ana);
    const due = await dueOf(ana, seconds(100));
    const moves = due ? [moveDeletion(due, leaseEnd(new Date())), moveDeletion(due, leaseEnd(seconds(1)))] : [];
    expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1);
    expect(await dueOf(ana, seconds(29 * 60))).toBeUndefined();
    expect(await dueOf(ana, seconds(31 * 60))).toBeDefined();
  });

  it('waits again where a request that had begun before has connected the provider', async () => {
    const ana = await given.user();
    await deleteOrganization(ana);
    const organizationId = ana.organization.id;
    await saveCredential({ organizationId, userId: ana.userId });
    const due = await dueOf(ana, seconds(100));
    const message = { ...messageOf(ana), ...due };
    expect(await deliver(eraseOrganization, message)).toBe(true);
    expect(await findConnection(organizationId)).toBeUndefined();
    expect((await findOrganizationById(organizationId))?.status).toBe('deleting');
    expect((await dueOf(ana, seconds(100)))?.dueAt.slice(0, 16)).toBe(quietFrom(new Date()).slice(0, 16));
    expect(await erase(ana)).toBe(true);
    expect((await itemsOf(ana)).own).toEqual([]);
  });
});
