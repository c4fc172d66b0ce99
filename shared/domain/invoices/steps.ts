import { Problem } from '#shared/domain/problems.ts';

export const INVOICE_STATUSES = ['draft', 'sent', 'paid', 'credited', 'void'] as const;

export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** A sent invoice with payments is a state of its own; its status is `sent`. */
export const INVOICE_STATES = ['draft', 'sent', 'part_paid', 'paid', 'credited', 'void'] as const;

export type InvoiceState = (typeof INVOICE_STATES)[number];

/** What an invoice can go through, as refusals say it. */
const STEP_WORDS = {
  change: 'be changed',
  changePaymentUrl: 'be given another paymentUrl',
  delete: 'be deleted',
  send: 'be sent',
  recordPayment: 'take a payment',
  pay: 'be paid',
  takePaymentBack: 'give a payment back',
  refund: 'be refunded',
  credit: 'be credited',
  void: 'be voided',
  makeEInvoice: 'be an e-invoice',
  checkEInvoice: 'be checked',
} as const satisfies Readonly<Record<string, string>>;

export type InvoiceStep = keyof typeof STEP_WORDS;

export const INVOICE_STEPS = Object.keys(STEP_WORDS) as readonly InvoiceStep[];

const LEGAL_STEPS: Readonly<Record<InvoiceStep, readonly InvoiceState[]>> = {
  change: ['draft'],
  changePaymentUrl: ['draft', 'sent', 'part_paid'],
  delete: ['draft'],
  send: ['draft'],
  recordPayment: ['sent', 'part_paid'],
  pay: ['sent', 'part_paid'],
  takePaymentBack: ['part_paid', 'paid', 'credited'],
  refund: ['sent', 'part_paid', 'paid', 'credited'],
  credit: ['sent', 'part_paid', 'paid'],
  void: ['sent'],
  makeEInvoice: ['sent', 'part_paid', 'paid', 'credited'],
  checkEInvoice: ['draft', 'sent', 'part_paid', 'paid', 'credited'],
};

/** What other systems keep here. */
const FACTS: readonly string[] = ['externalId', 'metadata'];

/** Where to pay may change as long as somebody has to. @returns undefined for what may always change */
export function stepOfChange(changes: object): InvoiceStep | undefined {
  const members = Object.keys(changes).filter((member) => !FACTS.includes(member));
  if (members.length === 0) return undefined;
  return members.every((member) => member === 'paymentUrl') ? 'changePaymentUrl' : 'change';
}

interface Stateful {
  readonly status: InvoiceStatus;
  readonly paymentCount: number;
  readonly creditNoteCount: number;
}

function stateOf({ status, paymentCount }: Stateful): InvoiceState {
  return status === 'sent' && paymentCount > 0 ? 'part_paid' : status;
}

export function isLegal(invoice: Stateful, step: InvoiceStep): boolean {
  return LEGAL_STEPS[step].includes(stateOf(invoice)) && !(step === 'void' && invoice.creditNoteCount > 0);
}

export function assertLegal(invoice: Stateful, step: InvoiceStep): void {
  if (isLegal(invoice, step)) return;
  if (step === 'void' && invoice.creditNoteCount > 0) {
    const detail = 'The invoice has credit notes, and cannot be voided: credit the rest instead.';
    throw new Problem('invoice_has_credit_notes', { detail });
  }
  const states = LEGAL_STEPS[step];
  const state = stateOf(invoice);
  if (state === 'part_paid' && states.includes('sent')) {
    const detail = `The invoice has payments, and cannot ${STEP_WORDS[step]} until they are taken back.`;
    throw new Problem('invoice_has_payments', { detail });
  }
  const statuses = new Set(states.map((each) => (each === 'part_paid' ? 'sent' : each)));
  throw new Problem('invoice_state_forbids', {
    detail: `The invoice is ${invoice.status}; only a ${[...statuses].join(' or ')} invoice can ${STEP_WORDS[step]}.`,
  });
}
