/** The words of an invoice in one language. Labels are set in capitals where they are printed. */
export interface Words {
  readonly invoice: string;
  readonly draftInvoice: string;
  /** What an invoice is, or is not yet */
  readonly draft: string;
  readonly paid: string;
  readonly partPaid: string;
  readonly overdue: string;
  readonly void: string;

  readonly billedTo: string;
  readonly issued: string;
  readonly due: string;
  readonly purchaseOrder: string;
  readonly taxNumber: string;
  readonly registrationNumber: string;
  readonly bankDetails: string;

  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly amount: string;
  /** Work that belongs to no project */
  readonly trackedTime: string;
  /** The unit of a time such as 1:31 */
  readonly hours: string;

  readonly linesTotal: string;
  readonly discount: string;
  readonly subtotal: string;
  readonly tax: string;
  /** Between a tax and the amount that it is of */
  readonly on: string;
  readonly total: string;
  readonly amountPaid: string;
  readonly amountDue: string;

  readonly payments: string;
  readonly method: string;
  readonly reference: string;
  readonly notes: string;

  /** `{page}` and `{pages}` stand for the numbers */
  readonly pageOf: string;
}
