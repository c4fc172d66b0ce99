import encodeQR from 'qr';
import { epcText } from '#shared/domain/invoices/payment-details.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import type { Mark } from './page.ts';

/** In points. With the 45 modules of a usual transfer, each is 0.58 mm wide. */
export const CODE_SIZE = 74;

/** Module by module, from the upper left; undefined if the invoice is not to be paid by a SEPA transfer. */
export type PaymentCode = readonly (readonly boolean[])[];

/** The guidelines ask for level M, of which 15 % may be damaged. */
export function paymentCodeOf(invoice: PrintedInvoice): PaymentCode | undefined {
  const text = epcText(invoice);
  return text === null ? undefined : encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
}

/** White space around the code, without which scanners do not find it. */
const QUIET_MODULES = 4;

/** Neighbouring dark modules of a row are one rectangle. @param right of the dark modules @param y of their upper edge */
export function codeMarks(code: PaymentCode, right: number, y: number): Mark[] {
  const module = CODE_SIZE / (code.length - 2 * QUIET_MODULES);
  const [left, top] = [right - CODE_SIZE - QUIET_MODULES * module, y - QUIET_MODULES * module];
  return code.flatMap((row, line) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map((run): Mark => {
      const [x, width] = [left + run.index * module, run[0].length * module];
      return { kind: 'rule', x, y: top + line * module, width, height: module, colour: '#000000' };
    }),
  );
}
