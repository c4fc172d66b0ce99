import { type Details, NO_DETAILS } from '#shared/domain/details.ts';
import type { Locale } from '#shared/domain/locale.ts';
import type { LockedThrough } from '#shared/domain/lock.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { revised } from '#shared/domain/revised.ts';
import type { TaxRounding } from '#shared/domain/tax.ts';
import type { TimeRounding } from '#shared/domain/time-rounding.ts';
import { dateIn, UTC } from '#shared/domain/time-zone.ts';

export interface OrganizationProfile extends Details {
  readonly legalName: string | null;
  readonly registrationNumber: string | null;
  readonly bankDetails: string | null;
  /** In upper case, without spaces. */
  readonly iban: string | null;
  readonly bic: string | null;
  readonly accountName: string | null;
  readonly contactName: string | null;
  readonly paymentTermsDays: number | null;
  readonly invoiceNotes: string | null;
  /** The language of invoices; null counts as `en`. */
  readonly locale: Locale | null;
  /** The rounding of new invoices. */
  readonly taxRounding: TaxRounding;
  /** Of the time of projects without a rule of their own. */
  readonly rounding: TimeRounding | null;
  /** Whether numbers of documents are in the order of their dates. */
  readonly chronologicalNumbers: boolean;
  /** IANA name; null counts as UTC. */
  readonly timeZone: string | null;
  /** `#rrggbb` in any case. */
  readonly accentColor: string | null;
  /** Up to three lines at the foot of each page. */
  readonly footer: string | null;
  /** Whether the PDF of an invoice has its hours, unless the request says. */
  readonly printsHours: boolean;
  readonly lockedThrough: LockedThrough;
}

export interface Organization extends OrganizationProfile {
  readonly id: string;
  /** Unique in the service, whatever its case and spaces. */
  readonly name: string;
  readonly currency: string;
  /** The hash of its logo, which documents have as a copy. */
  readonly logo: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type OrganizationChanges = Partial<OrganizationProfile & Pick<Organization, 'name' | 'currency' | 'logo'>>;

export const NO_PROFILE: OrganizationProfile = {
  ...NO_DETAILS,
  legalName: null,
  registrationNumber: null,
  bankDetails: null,
  iban: null,
  bic: null,
  accountName: null,
  contactName: null,
  paymentTermsDays: null,
  invoiceNotes: null,
  locale: null,
  taxRounding: 'line',
  rounding: null,
  chronologicalNumbers: false,
  timeZone: null,
  accentColor: null,
  footer: null,
  printsHours: false,
  lockedThrough: null,
};

type OrganizationDraft = Pick<Organization, 'name' | 'currency'> & Partial<Pick<Organization, 'timeZone'>>;

export function newOrganization(draft: OrganizationDraft, id: string, now: Date): Organization {
  const createdAt = now.toISOString();
  return { ...NO_PROFILE, ...draft, logo: null, id, createdAt, updatedAt: createdAt };
}

/** @throws Problem `invalid_date_range` for a period that would end after today, in the zone that the change leaves */
export function reviseOrganization<O extends Organization>(
  organization: O,
  changes: OrganizationChanges,
  now: Date,
): O {
  const changed = { ...organization, ...changes };
  if (changed.lockedThrough !== organization.lockedThrough) assertNotAhead(changed, now);
  return revised(organization, changed, now);
}

/** Work that is still to come is not closed. */
function assertNotAhead({ lockedThrough, timeZone }: Organization, now: Date): void {
  const today = dateIn(timeZone ?? UTC, now);
  if (lockedThrough === null || lockedThrough <= today) return;
  throw fault('invalid_date_range', 'lockedThrough', `A period is closed up to today at most, which is ${today}.`);
}

export function currencyInUse(): Problem {
  return fault('currency_in_use', 'currency', 'The first invoice was sent, so the currency stays.');
}

export interface Seller
  extends Pick<Organization, 'name' | 'logo'>,
    Omit<
      OrganizationProfile,
      | 'paymentTermsDays'
      | 'invoiceNotes'
      | 'locale'
      | 'taxRounding'
      | 'rounding'
      | 'chronologicalNumbers'
      | 'timeZone'
      | 'printsHours'
      | 'lockedThrough'
    > {}

/** Copies the shown members alone: a stored organization has more. */
export function sellerOf(organization: Organization): Seller {
  return {
    name: organization.name,
    legalName: organization.legalName,
    addressLine1: organization.addressLine1,
    addressLine2: organization.addressLine2,
    city: organization.city,
    region: organization.region,
    postalCode: organization.postalCode,
    countryCode: organization.countryCode,
    email: organization.email,
    phone: organization.phone,
    website: organization.website,
    taxNumber: organization.taxNumber,
    vatNumber: organization.vatNumber,
    electronicAddress: organization.electronicAddress,
    registrationNumber: organization.registrationNumber,
    bankDetails: organization.bankDetails,
    iban: organization.iban,
    bic: organization.bic,
    accountName: organization.accountName,
    contactName: organization.contactName,
    logo: organization.logo,
    accentColor: organization.accentColor,
    footer: organization.footer,
  };
}
