import { v7 as uuidV7 } from 'uuid';
import { creditNotePuts, readCreditNote } from '#shared/data/invoices/credit-notes.ts';
import { invoicePuts } from '#shared/data/invoices/invoice-items.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { countKey, importJobKey, type Key, sessionCountKey, sessionKey } from '#shared/data/layout/keys.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { increase } from '#shared/data/table/sums.ts';
import { type TransactItem, transact } from '#shared/data/table/transaction.ts';
import { put, unread } from '#shared/data/table/writes.ts';
import { insertProject, readProject } from '#shared/data/tracker/projects.ts';
import { getSession } from '#shared/data/tracker/timers.ts';

/** Much of what lists look through, as copies of one that a request has made. */

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
}

interface Crowd {
  readonly count: number;
  /** Has the number of all of them. */
  readonly counter: Key;
  /** By which name. */
  readonly counted?: string;
  readonly copy: (id: string) => TransactItem[] | Promise<TransactItem[]>;
}

/** Each has a lean row at most, and 20 KB. */
const COPIES_PER_TRANSACTION = 45;

async function write({ count, counter, counted = 'all', copy }: Crowd): Promise<void> {
  for (let left = count; left > 0; left -= COPIES_PER_TRANSACTION) {
    const some = Math.min(left, COPIES_PER_TRANSACTION);
    const copies = await Promise.all(Array.from({ length: some }, () => copy(uuidV7())));
    await transact([...copies.flat(), increase(counter, { [counted]: some })]);
  }
}

export async function copyInvoice({ organizationId }: Owner, of: string, count: number, notes: () => string) {
  const invoice = await readInvoice(organizationId, of);
  const copy = (id: string) => invoicePuts({ ...invoice, id, notes: notes() }, null);
  await write({ count, counter: countKey(organizationId, 'INVOICE'), copy });
}

export async function copyCreditNote({ organizationId }: Owner, of: string, count: number): Promise<void> {
  const creditNote = await readCreditNote(organizationId, of);
  const copy = (id: string) => creditNotePuts({ ...creditNote, id });
  await write({ count, counter: countKey(organizationId, 'CREDIT_NOTE'), copy });
}

/** @param of an ended session */
export async function copySession(owner: Owner, of: string, count: number): Promise<void> {
  const { organizationId, userId } = owner;
  const session = await getSession(owner, of);
  const copy = (id: string) => [put({ ...sessionKey(organizationId, userId, id), ...session, id }, unread)];
  await write({ count, counter: sessionCountKey(organizationId, userId), counted: session.status, copy });
}

/** @param of an import that has ended */
export async function copyImport({ organizationId }: Owner, of: string, count: number): Promise<void> {
  const job = await getImport(organizationId, of);
  const copy = (id: string) => [put({ ...importJobKey(organizationId, id), ...job, id }, unread)];
  await write({ count, counter: countKey(organizationId, 'IMPORT_JOB'), copy });
}

export async function copyProject({ organizationId }: Owner, of: string, count: number): Promise<void> {
  const project = await readProject(organizationId, of);
  for (let i = 0; i < count; i++) await insertProject({ ...project, id: uuidV7(), name: uuidV7() }, []);
}
