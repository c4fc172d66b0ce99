import type { ElectronicAddress } from './electronic-address.ts';

/** Details that clients and organizations have alike; null where they have none. */

export interface PostalAddress {
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string | null;
}

export interface Details extends PostalAddress {
  readonly email: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly taxNumber: string | null;
  readonly vatNumber: string | null;
  readonly electronicAddress: ElectronicAddress | null;
}

export const NO_DETAILS: Details = {
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
  vatNumber: null,
  electronicAddress: null,
};
