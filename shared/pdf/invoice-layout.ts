import { createFlow } from './flow.ts';
import { finished, notesOf, sellerFootOf } from './foot.ts';
import { placeLineTable } from './line-table.ts';
import type { Page } from './page.ts';
import { placeParties, placeTitle } from './parties.ts';
import { paymentsOf } from './payment-table.ts';
import type { Printing } from './printing.ts';
import { totalsOf } from './totals.ts';

export function layOutInvoice(printing: Printing): Page[] {
  const flow = createFlow();
  placeTitle(flow, printing);
  placeParties(flow, printing);
  const totals = totalsOf(printing);
  const [payments, notes, foot] = [paymentsOf(printing), notesOf(printing), sellerFootOf(printing)];
  const isFootNext = payments.height + notes.height === 0;
  // The foot never stands alone on a page: each part is placed only where the foot still fits below it.
  placeLineTable(flow, printing, totals.height + (isFootNext ? foot.height : 0));
  totals.place(flow);
  if (notes.height === 0) flow.ensure(payments.height + foot.height);
  payments.place(flow);
  flow.ensure(notes.height + foot.height);
  for (const block of [notes, foot]) block.place(flow);
  return finished(flow.pages, printing);
}
