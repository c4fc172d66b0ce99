import * as v from 'valibot';
import { creditNoteNumberKey, invoiceNumberKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { update } from '#shared/data/table/writes.ts';

/** The last number of a series without gaps: it grows in the transaction that gives the number. */

const lastNumber = v.object({ last: v.number(), issueDate: v.optional(v.nullable(v.string()), null) });

/** With the date of the document that has it. */
export type LastNumber = v.InferOutput<typeof lastNumber>;

const KEYS = { creditNote: creditNoteNumberKey, invoice: invoiceNumberKey };

export type Series = keyof typeof KEYS;

export async function readLastNumber(series: Series, organizationId: string): Promise<LastNumber> {
  const item = await readItem(KEYS[series](organizationId));
  return item ? v.parse(lastNumber, item) : { last: 0, issueDate: null };
}

/** Fails if another has taken the next number since the last one was read. */
export function numberIncrease(series: Series, organizationId: string, { last }: LastNumber, issueDate: string): Write {
  return update(KEYS[series](organizationId), {
    UpdateExpression: 'SET #last = :next, issueDate = :date',
    ConditionExpression: last === 0 ? 'attribute_not_exists(pk)' : '#last = :last',
    ExpressionAttributeNames: { '#last': 'last' },
    ExpressionAttributeValues: { ':next': last + 1, ':date': issueDate, ...(last > 0 && { ':last': last }) },
  });
}
