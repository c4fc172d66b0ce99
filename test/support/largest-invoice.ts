import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { assertSendable } from '#shared/domain/invoices/invoice-size.ts';

/** The most lines that can be sent. */
export function largest(make: (count: number) => Invoice, tooMany = 1_000): number {
  let [taken, refused] = [0, tooMany];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    try {
      assertSendable(make(middle));
      taken = middle;
    } catch {
      refused = middle;
    }
  }
  return taken;
}
