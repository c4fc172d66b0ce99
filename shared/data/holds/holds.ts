import * as v from 'valibot';
import { holdKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { UNITS_IN_TRANSACTION, writeUnitsOf } from '#shared/data/table/item-size.ts';
import type { TransactItem } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { change, check, IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import type { Hold, Holdable } from '#shared/domain/tracker/hold.ts';

/** Which entries are on which invoices (`shared/domain/tracker/hold.ts`). */

const row = v.object({
  id: v.string(),
  invoiceId: v.string(),
  version: v.number(),
  /** 16 bytes for each id. */
  except: v.optional(v.instance(Uint8Array), new Uint8Array()),
});

export type StoredHold = Hold & Versioned;

export type StoredHolds = ReadonlyMap<string, StoredHold>;

export async function readHolds(
  organizationId: string,
  entries: readonly { readonly holdId?: string | null }[],
): Promise<StoredHolds> {
  const ids = new Set(entries.flatMap(({ holdId }) => holdId ?? []));
  const items = await batchGet([...ids].map((id) => holdKey(organizationId, id)));
  return new Map(items.map(holdIn).map((hold) => [hold.id, hold]));
}

export function holdIn(item: Readonly<Record<string, unknown>>): StoredHold {
  const { except, ...hold } = v.parse(row, item);
  const ids = Buffer.from(except).toString('hex').matchAll(HEX_OF_ID);
  return { ...hold, except: new Set(Array.from(ids, ([, ...parts]) => parts.join('-'))) };
}

export function holdPut(organizationId: string, hold: Hold): TransactItem {
  return put(itemOf(organizationId, hold), v.parser(row), IS_ABSENT);
}

export function holdReplacement(organizationId: string, before: StoredHold, after: StoredHold): TransactItem {
  return change(itemOf(organizationId, before), itemOf(organizationId, after), v.parser(row), unchangedSince(before));
}

/** Frees all entries of a hold. The version of the invoice is the condition of its transaction. */
export function holdEnd(organizationId: string, id: string): TransactItem {
  return remove(holdKey(organizationId, id));
}

export function holdCheck(organizationId: string, hold: StoredHold): TransactItem {
  return check(holdKey(organizationId, hold.id), unchangedSince(hold));
}

/** Write units, which are those of the whole item. */
export function checkUnits(organizationId: string, hold: StoredHold): number {
  return writeUnitsOf(itemOf(organizationId, hold)) * UNITS_IN_TRANSACTION;
}

/** The named holds are as they were read: absent, or with the same exceptions. */
export function holdChecks(organizationId: string, entries: readonly Holdable[], holds: StoredHolds): TransactItem[] {
  const named = new Set(entries.flatMap(({ holdId }) => holdId ?? []));
  return [...named].map((id) => {
    const hold = holds.get(id);
    return hold ? holdCheck(organizationId, hold) : check(holdKey(organizationId, id), IS_ABSENT);
  });
}

function itemOf(organizationId: string, { id, invoiceId, except, version = newVersion() }: Hold & Partial<Versioned>) {
  const key = holdKey(organizationId, id);
  return { ...key, id, invoiceId, version, ...(except.size > 0 && { except: packedIds([...except]) }) };
}

const packedIds = (ids: readonly string[]): Uint8Array => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');

const HEX_OF_ID = /(.{8})(.{4})(.{4})(.{4})(.{12})/gy;
