import type { Seller } from '#shared/domain/organization/organization.ts';

/** The window of an envelope, through which the address of the customer shows: form B of DIN 5008. In points. */

const MILLIMETRE = 72 / 25.4;

export const WINDOW = { top: 45 * MILLIMETRE, bottom: 90 * MILLIMETRE, right: 105 * MILLIMETRE } as const;

/** A letter moves 5 mm in its envelope: what is higher may be hidden, as the sender may be. */
export const ADDRESS_TOP = WINDOW.top + 7 * MILLIMETRE;

/** The window begins 5 mm before. */
export const LETTER_MARGIN = 25 * MILLIMETRE;

/** Where to fold A4 for such an envelope, and where to punch it. */
export const FOLDS = [105, 148.5, 210].map((length) => length * MILLIMETRE);

export const FOLD_MARK = { x: 4 * MILLIMETRE, width: 4 * MILLIMETRE } as const;

const COUNTRIES = ['DE', 'AT', 'CH'];

export function hasWindow({ countryCode }: Pick<Seller, 'countryCode'>): boolean {
  return COUNTRIES.includes(countryCode ?? '');
}
