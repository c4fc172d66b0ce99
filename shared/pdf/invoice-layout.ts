import type { LineHours } from '#shared/domain/invoices/printed-hours.ts';
import { createFlow } from './flow.ts';
import { contactOf, footerHeight, footerOf, withFooters } from './footer.ts';
import { placeHours } from './hours-tables.ts';
import { placeLineTable } from './line-table.ts';
import { bottomOf, type Page } from './page.ts';
import { placeHead } from './parties.ts';
import { paymentsOf } from './payment-table.ts';
import type { Printing } from './printing.ts';
import { summaryOf } from './summary.ts';

export function layOutInvoice(printing: Printing, hours: readonly LineHours[] = []): Page[] {
  const footer = footerOf(printing);
  const flow = createFlow(bottomOf(printing.paper) - footerHeight(footer));
  placeHead(flow, printing);
  const summary = summaryOf(printing);
  const blocks = [paymentsOf(printing), ...summary.below, contactOf(printing)];
  const heightAfter = (index: number) => blocks.slice(index + 1).reduce((sum, { height }) => sum + height, 0);
  // No page has a note alone: the last line goes with all that follows, or at least with the totals.
  placeLineTable(flow, printing, [summary.height + heightAfter(-1), summary.height]);
  summary.place(flow);
  for (const [index, block] of blocks.entries()) block.place(flow, heightAfter(index));
  if (hours.length > 0) placeHours(flow, printing, hours);
  return withFooters(flow.pages, printing, footer);
}
