import {
  areUsed,
  type Numbers,
  numberingOf,
  numberingWrites,
  readAllNumbers,
  readSeries,
  type Series,
  unusedCheck,
} from '#shared/data/invoices/numbers.ts';
import {
  readOrganization,
  type StoredOrganization,
  saveOrganization,
} from '#shared/data/organization/organizations.ts';
import { refusing, type Write } from '#shared/data/table/transaction.ts';
import { type Numbering, type NumberingChanges, reviseNumbering } from '#shared/domain/organization/numbering.ts';
import {
  currencyInUse,
  type Organization,
  type OrganizationChanges,
  reviseOrganization,
} from '#shared/domain/organization/organization.ts';
import { dateIn, UTC } from '#shared/domain/time-zone.ts';

/** The organization with how it numbers its documents. */

type Numbered<O> = O & { readonly invoiceNumbering: Numbering; readonly creditNoteNumbering: Numbering };

type AllNumbers = Awaited<ReturnType<typeof readAllNumbers>>;

interface Counted {
  readonly numbers: Numbers;
  /** Of today. */
  readonly series: Series;
}

export async function readNumberedOrganization(id: string, now: Date): Promise<Numbered<StoredOrganization>> {
  const [organization, numbers] = await Promise.all([readOrganization(id), readAllNumbers(id)]);
  return numbered(organization, numbers, now);
}

export async function showOrganization<O extends Organization>(organization: O, now: Date): Promise<Numbered<O>> {
  return numbered(organization, await readAllNumbers(organization.id), now);
}

async function numbered<O extends Organization>(organization: O, numbers: AllNumbers, now: Date): Promise<Numbered<O>> {
  const [invoices, creditNotes] = await countedOn(todayIn(organization, now), numbers);
  return {
    ...organization,
    invoiceNumbering: numberingOf(invoices.numbers, invoices.series),
    creditNoteNumbering: numberingOf(creditNotes.numbers, creditNotes.series),
  };
}

interface Changes extends OrganizationChanges {
  readonly invoiceNumbering?: NumberingChanges;
  readonly creditNoteNumbering?: NumberingChanges;
}

/**
 * @param answer to the changed organization
 * @throws Problem `number_goes_back`, `currency_in_use`, `organization_name_taken`; ConditionFailed
 */
export async function changeOrganization(
  organization: StoredOrganization,
  { invoiceNumbering: ofInvoices, creditNoteNumbering: ofCreditNotes, ...profile }: Changes,
  now: Date,
  answer: (shown: Numbered<StoredOrganization>) => Promise<readonly Write[]>,
): Promise<Numbered<StoredOrganization>> {
  const revised = reviseOrganization(organization, profile, now);
  const today = todayIn(revised, now);
  const [invoices, creditNotes] = await countedOn(today, await readAllNumbers(organization.id));
  const invoiceNumbering = numberingAfter(invoices, ofInvoices, 'invoiceNumbering');
  const creditNoteNumbering = numberingAfter(creditNotes, ofCreditNotes, 'creditNoteNumbering');
  const ofInvoiceNumbers = await numberingWrites(invoices.numbers, invoices.series, today, invoiceNumbering);
  const ofCreditNumbers = await numberingWrites(creditNotes.numbers, creditNotes.series, today, creditNoteNumbering);
  const renumbering = [...ofInvoiceNumbers, ...ofCreditNumbers];
  const changed = renumbering.length > 0 ? { ...revised, updatedAt: now.toISOString() } : revised;
  const shown = { ...changed, invoiceNumbering, creditNoteNumbering };
  const exchange = revised.currency === organization.currency ? [] : exchangeWrites(invoices.numbers, ofInvoiceNumbers);
  const others = await answer(shown);
  await saveOrganization(organization, changed, [...renumbering, ...exchange, ...others]);
  return shown;
}

const todayIn = ({ timeZone }: Organization, now: Date): string => dateIn(timeZone ?? UTC, now);

async function countedOn(
  today: string,
  { INVOICE, CREDIT_NOTE }: AllNumbers,
): Promise<readonly [invoices: Counted, creditNotes: Counted]> {
  const counted = async (numbers: Numbers) => ({ numbers, series: await readSeries(numbers, today) });
  return Promise.all([counted(INVOICE), counted(CREDIT_NOTE)]);
}

function numberingAfter({ numbers, series }: Counted, changes: NumberingChanges | undefined, path: string): Numbering {
  const present = numberingOf(numbers, series);
  return changes === undefined ? present : reviseNumbering(numbers.kind, present, changes, path);
}

/** The first invoice that is sent has the first number. A transaction takes one write to an item, and one is enough. */
function exchangeWrites(numbers: Numbers, renumbering: readonly Write[]): Write[] {
  if (areUsed(numbers)) throw currencyInUse();
  return renumbering.length > 0 ? [] : [refusing(unusedCheck(numbers), currencyInUse)];
}
