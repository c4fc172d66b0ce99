import { exampleCustomer, exampleSeller } from '#shared/contract/details.ts';

const terms = {
  clientId: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  currency: 'EUR',
  issueDate: '2026-10-30',
  dueDate: '2026-11-14',
  purchaseOrder: 'PO-4711',
  locale: 'de',
  discountPercent: '10',
  paymentUrl: 'https://pay.acme.example/4711',
};

/** No client exists in every organization: the id is only an example. */
export const exampleBody = {
  ...terms,
  notes: 'Thank you.',
  lineItems: [
    {
      name: 'Hosting',
      quantity: '2',
      unit: 'month',
      price: '49.90',
      taxRate: '19',
      serviceFrom: '2026-10-01',
      serviceTo: '2026-11-30',
    },
  ],
};

export const exampleTimeBody = {
  clientId: terms.clientId,
  timeEntries: { dateFrom: '2026-10-01', dateTo: '2026-10-30', groupBy: 'project', taxRate: '19' },
};

export const exampleInvoice = {
  id: '019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61',
  number: null,
  status: 'draft',
  ...terms,
  serviceFrom: '2026-10-01',
  serviceTo: '2026-11-30',
  seller: exampleSeller,
  customer: exampleCustomer,
  lineItems: [
    {
      id: '019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d',
      productId: null,
      entryIds: [],
      name: 'Hosting',
      description: '',
      quantity: '2',
      workedMinutes: null,
      unit: 'month',
      price: '49.90',
      taxRate: '19',
      taxCategory: 'standard',
      taxExemptionReason: null,
      serviceFrom: '2026-10-01',
      serviceTo: '2026-11-30',
      amount: '99.80',
      discount: '9.98',
    },
  ],
  taxRounding: 'rate',
  taxes: [{ taxCategory: 'standard', taxRate: '19', base: '89.82', amount: '17.07', exemptionReason: null }],
  discountTotal: '9.98',
  subtotal: '89.82',
  taxTotal: '17.07',
  total: '106.89',
  creditedTotal: '0.00',
  amountPaid: '0.00',
  amountDue: '106.89',
  amountToRefund: '0.00',
  isOverdue: false,
  notes: 'Thank you.',
  externalId: null,
  metadata: {},
  createdAt: '2026-10-30T09:30:00.000Z',
  updatedAt: '2026-10-30T09:30:00.000Z',
  sentAt: null,
  paidAt: null,
  voidedAt: null,
};

export const sentInvoice = {
  ...exampleInvoice,
  status: 'sent',
  number: 'INV-000001',
  updatedAt: '2026-10-30T09:31:00.000Z',
  sentAt: '2026-10-30T09:31:00.000Z',
};
