import { readDirectory } from '#shared/data/directory/directory.ts';
import type { StoredInvoice } from '#shared/data/invoices/invoice-items.ts';
import { readPrintsHours } from '#shared/data/organization/organizations.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { assertHoursFit } from '#shared/domain/invoices/invoice-size.ts';
import { assertPrintable, hoursOfLines, type LineHours } from '#shared/domain/invoices/printed-hours.ts';
import { assertScope, type Principal } from '#shared/domain/keys/api-key.ts';
import { Problem } from '#shared/domain/problems.ts';

interface Wish {
  /** Undefined: as the organization wants it. */
  readonly hours: boolean | undefined;
  readonly principal: Pick<Principal, 'scopes'>;
  /** Before the entries are read. */
  readonly pay: (entries: number) => Promise<void>;
}

/**
 * What refuses hours that were asked for leaves them out by default.
 *
 * @returns undefined where no hours are to be printed
 * @throws Problem `insufficient_scope`, `document_too_large`, `rate_limited`
 */
export async function readHours(
  invoice: StoredInvoice,
  { hours, principal, pay }: Wish,
): Promise<readonly LineHours[] | undefined> {
  const { organizationId, lineItems } = invoice;
  const ids = lineItems.flatMap(({ entryIds }) => entryIds);
  if (ids.length === 0 || !(hours ?? (await readPrintsHours(organizationId)))) return undefined;
  try {
    assertScope(principal.scopes, 'tracker:read');
    assertPrintable(ids.length);
    await pay(ids.length);
    const entries = await readEntries(organizationId, ids);
    const { users } = await readDirectory(organizationId);
    const found = hoursOfLines(invoice, entries, ({ userId }) => users.get(userId)?.name ?? '');
    assertHoursFit(invoice, found);
    return found;
  } catch (error) {
    if (hours === undefined && isRefusal(error)) return undefined;
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'insufficient_scope' || error.code === 'document_too_large');
}
