import * as v from 'valibot';
import type { Body } from '#shared/contract/endpoint.ts';
import type { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { invoice as invoiceSchema } from '#shared/contract/invoices/invoice.ts';
import { type Invoice, invoiceCurrency, invoiceEmpty } from '#shared/domain/invoices/invoice.ts';
import { draftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { withParties } from '#shared/domain/invoices/parties.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { asSent, asVoid } from '#shared/domain/invoices/sending.ts';
import { assertLegal } from '#shared/domain/invoices/steps.ts';
import { isBillable } from '#shared/domain/invoices/tracked-time.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { NO_SOURCES } from '#test/support/invoice-sources.ts';
import { invoiceNumber } from '#test/support/numbers.ts';
import { organizationOf } from '#test/support/organization.ts';
import { type Books, found, type Told } from './books.ts';

/** Only the code of a refusal is compared. */
const NONE_SKIPPED = { notBillable: 0, noRate: 0, otherCurrency: 0, invoiced: 0 };

/** Changes the books as invoices do that bill time. */
export class Invoices {
  readonly #books: Books;
  readonly #organization: Organization;
  #sentCount = 0;

  constructor(books: Books) {
    this.#books = books;
    this.#organization = organizationOf(books.organization);
  }

  /** Exactly the unbilled billable entries of the client, the currency and the days are on it. */
  bill(body: Body<typeof createInvoice>, lineIds: readonly string[], { id, at }: Told): unknown {
    const { clients, entries, projects } = this.#books;
    const client = clients.get(body.clientId);
    if (!client) throw referenceNotFound('clientId');
    const currency = invoiceCurrency(body.currency, client, this.#books.organization.currency);
    const { dateFrom = '', dateTo = '' } = body.timeEntries ?? {};
    const selected = [...entries.values()]
      .filter(({ entryDate, holdId }) => holdId === null && entryDate >= dateFrom && entryDate <= dateTo)
      .filter((entry) => isBillable(entry, { clientId: client.id, currency }));
    const projectNames = new Map([...projects].map(([projectId, { name }]) => [projectId, name]));
    const draft = draftInvoice(
      body,
      { ...NO_SOURCES, organization: this.#organization, client, currency, selected, projectNames, newId: () => '' },
      id,
      at,
    );
    if (draft.lineItems.length === 0) throw invoiceEmpty(NONE_SKIPPED);
    const lineItems = draft.lineItems.map((line, position) => ({ ...line, id: lineIds[position] ?? id }));
    for (const entry of selected) entries.set(entry.id, { ...entry, holdId: id });
    return this.#keep({ ...draft, lineItems });
  }

  send(id: string, at: Date): unknown {
    const sent = asSent(this.#follow(found(this.#books.invoices, id)), invoiceNumber(this.#sentCount + 1), at);
    this.#sentCount += 1;
    return this.#keep(sent);
  }

  void(id: string, at: Date): unknown {
    const voided = asVoid(found(this.#books.invoices, id), at);
    this.#release(id);
    return this.#keep(voided);
  }

  delete(id: string): void {
    assertLegal(found(this.#books.invoices, id), 'delete');
    this.#release(id);
    this.#books.invoices.delete(id);
  }

  #release(id: string): void {
    const { entries } = this.#books;
    for (const entry of entries.values()) if (entry.holdId === id) entries.set(entry.id, { ...entry, holdId: null });
  }

  /** A draft shows its organization and its client as they are now. */
  #follow(invoice: Invoice): Invoice {
    const client = this.#books.clients.get(invoice.clientId);
    const copies = invoice.status === 'draft' ? { ...invoice, seller: undefined } : invoice;
    return withParties(copies, { organization: this.#organization, client });
  }

  #keep(invoice: Invoice): unknown {
    this.#books.invoices.set(invoice.id, invoice);
    return this.show(invoice);
  }

  show(invoice: Invoice): unknown {
    return v.parse(invoiceSchema, presentInvoice(this.#follow(invoice), dateOf(new Date())));
  }
}
