import { createFlow } from './flow.ts';
import { notesOf, sellerFooterOf, withFooters } from './footer.ts';
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
  const [payments, notes, footer] = [paymentsOf(printing), notesOf(printing), sellerFooterOf(printing)];
  const isFooterNext = payments.height + notes.height === 0;
  // The footer never stands alone on a page: each part is placed only where the footer still fits below it.
  placeLineTable(flow, printing, totals.height + (isFooterNext ? footer.height : 0));
  totals.place(flow);
  if (notes.height === 0) flow.ensure(payments.height + footer.height);
  payments.place(flow);
  flow.ensure(notes.height + footer.height);
  for (const block of [notes, footer]) block.place(flow);
  return withFooters(flow.pages, printing);
}
