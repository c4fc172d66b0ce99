import * as v from 'valibot';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { contains, type Filter } from '#shared/data/table/collection.ts';
import { texts } from '#shared/data/table/members.ts';
import type { Item } from '#shared/data/table/query.ts';
import { foldText } from '#shared/domain/text.ts';

/** DynamoDB passes all drafts on: a draft is found by its client's present name, and the table holds an old one. */

export function mayContain(q: string): Filter {
  const { expression, values } = contains(q, SEARCHED);
  return {
    expression: `(${expression} OR #draftStatus = :draft)`,
    names: { '#draftStatus': 'status' },
    values: { ...values, ':draft': 'draft' },
  };
}

const SEARCHED = ['foldedNumber', 'foldedCustomer', 'foldedNotes'] as const;

const searched = v.object(texts('status', 'clientId', 'foldedCustomer', 'foldedNotes'));

export async function readSearch(organizationId: string, q: string): Promise<(items: readonly Item[]) => Item[]> {
  const { clients } = await readDirectory(organizationId);
  const text = foldText(q);
  const isFound = (item: Item): boolean => {
    const { status, clientId, foldedCustomer, foldedNotes } = v.parse(searched, item);
    if (status !== 'draft') return true;
    const name = clients.get(clientId)?.name;
    return [name === undefined ? foldedCustomer : foldText(name), foldedNotes].some((each) => each.includes(text));
  };
  return (items) => items.filter(isFound);
}
