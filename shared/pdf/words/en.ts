/** The words of an invoice, which each language has. Labels are printed in capitals. */
export type Words = Readonly<Record<keyof typeof en, string>>;

export const en = {
  invoice: 'Invoice',
  draftInvoice: 'Draft invoice',
  draft: 'Draft',
  paid: 'Paid',
  partPaid: 'Part paid',
  overdue: 'Overdue',
  void: 'Void',
  billedTo: 'Billed to',
  issued: 'Issued',
  due: 'Due',
  purchaseOrder: 'Purchase order',
  taxNumber: 'Tax number',
  registrationNumber: 'Registration number',
  bankDetails: 'Bank details',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  amount: 'Amount',
  /** Work that belongs to no project */
  trackedTime: 'Tracked time',
  /** The unit of a time such as 1:31 */
  hours: 'h',
  linesTotal: 'Sum of lines',
  discount: 'Discount',
  subtotal: 'Subtotal',
  tax: 'Tax',
  /** Between a tax and the amount that is taxed */
  on: 'on',
  total: 'Total',
  amountPaid: 'Amount paid',
  amountDue: 'Amount due',
  payments: 'Payments',
  method: 'Method',
  reference: 'Reference',
  notes: 'Notes',
  pageOf: 'Page {page} of {pages}',
};
