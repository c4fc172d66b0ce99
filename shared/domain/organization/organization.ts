import type { Locale } from '#shared/domain/locale.ts';

/** Organizations: who sells. */

/** What an organization tells of itself. Null where it has told nothing. */
export interface OrganizationProfile {
  readonly legalName: string | null;
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** An http or https URL. */
  readonly website: string | null;
  readonly taxNumber: string | null;
  readonly registrationNumber: string | null;
  readonly bankDetails: string | null;
  /** How many days after its issue an invoice is due. */
  readonly paymentTermsDays: number | null;
  /** The notes of an invoice that brings none. */
  readonly invoiceNotes: string | null;
  /** The language of invoices; null counts as `en`. */
  readonly locale: Locale | null;
}

export interface Organization extends OrganizationProfile {
  readonly id: string;
  /** Without surrounding space. No two organizations have the same, whatever its case and spaces. */
  readonly name: string;
  /** The default currency. It never changes. */
  readonly currency: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type OrganizationChanges = Partial<OrganizationProfile & Pick<Organization, 'name'>>;

export const NO_PROFILE: OrganizationProfile = {
  legalName: null,
  addressLine1: null,
  addressLine2: null,
  city: null,
  region: null,
  postalCode: null,
  countryCode: null,
  email: null,
  phone: null,
  website: null,
  taxNumber: null,
  registrationNumber: null,
  bankDetails: null,
  paymentTermsDays: null,
  invoiceNotes: null,
  locale: null,
};

/** Returns the organization itself, with its `updatedAt`, if it has all that was sent already. */
export function reviseOrganization<O extends Organization>(
  organization: O,
  changes: OrganizationChanges,
  now: Date,
): O {
  const present = new Map<string, unknown>(Object.entries(organization));
  const isSame = Object.entries(changes).every(([member, value]) => present.get(member) === value);
  return isSame ? organization : { ...organization, ...changes, updatedAt: now.toISOString() };
}

/** What an invoice says of the organization that it is from. */
export interface Seller
  extends Pick<Organization, 'name'>,
    Omit<OrganizationProfile, 'paymentTermsDays' | 'invoiceNotes' | 'locale'> {}

/** A copy for an invoice: what it shows of the organization, and nothing else. */
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
    registrationNumber: organization.registrationNumber,
    bankDetails: organization.bankDetails,
  };
}
