import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { type Drawn, documentOf } from './drawn-documents.ts';

/** Documents whose files are kept as the authors' rules accepted them, since the tests run without the rules. */

const LINE: Drawn['lines'][number] = {
  name: 'Design',
  description: '',
  quantity: '12.5',
  unit: 'hour',
  price: '95.50',
  tax: 0,
  serviceFrom: null,
  serviceTo: null,
};

const INVOICE: Drawn = {
  trade: 'domestic',
  sellerCountry: 'DE',
  customerCountry: null,
  sellerOptions: [
    {
      legalName: 'Acme Services GmbH & Co. KG',
      bic: 'COBADEFFXXX',
      accountName: 'Acme Services',
      taxNumber: '30/123/45678',
    },
  ],
  customerOptions: [{ addressLine2: 'c/o Initech', region: 'Hamburg' }],
  sellerFlaws: [],
  customerFlaws: [],
  currency: 'EUR',
  locale: 'de',
  taxRounding: 'rate',
  discountPercent: null,
  dueDays: 30,
  service: {},
  purchaseOrder: 'PO-2026-117',
  notes: 'Vielen Dank!',
  lines: [
    LINE,
    { ...LINE, name: 'Handbook', quantity: '3', unit: 'piece', price: '19.90', tax: 1 },
    {
      ...LINE,
      name: 'Hosting',
      quantity: '1',
      unit: 'month',
      price: '49',
      serviceFrom: '2026-11-01',
      serviceTo: '2026-11-30',
    },
  ],
  time: null,
  isPartlyPaid: false,
  credit: null,
};

const TIME: Drawn['time'] = {
  groupBy: 'day',
  tax: 0,
  entries: [
    { description: 'Kick-off', durationMinutes: 61, entryDate: '2026-11-02', rate: '133.333333', projectId: 'website' },
    { description: 'Sketches', durationMinutes: 7, entryDate: '2026-11-02', rate: '133.333333', projectId: 'app' },
    { description: 'Review', durationMinutes: 45, entryDate: '2026-11-20', rate: '95.50', projectId: null },
  ],
};

const DRAWN: Readonly<Record<string, Drawn>> = {
  invoice: INVOICE,
  'tracked-time': { ...INVOICE, lines: [LINE], time: TIME, discountPercent: '12.5' },
  exempt: { ...INVOICE, trade: 'exempt', lines: [LINE, { ...LINE, tax: 4 }] },
  'reverse-charge': { ...INVOICE, trade: 'reverse_charge', customerCountry: 'FR', locale: 'fr' },
  'intra-community': { ...INVOICE, trade: 'intra_community', customerCountry: 'NL', locale: 'nl' },
  export: { ...INVOICE, trade: 'export', customerCountry: 'US', locale: 'en', currency: 'USD' },
  'outside-scope': { ...INVOICE, trade: 'outside_scope' },
  'sole-trader': {
    ...INVOICE,
    trade: 'exempt',
    sellerOptions: [{ vatNumber: null, registrationNumber: null, taxNumber: '30/123/45678' }],
    lines: [{ ...LINE, tax: 4 }],
  },
  'strange-texts': {
    ...INVOICE,
    sellerOptions: [{ iban: null, bankDetails: '#1 Bank\r\n \t# 42\n#SKONTO#' }],
    notes: ' ]]> <b>&amp;</b> "quoted"\n\u202eright to left\u202c\tשלום 👩‍🔧 e\u0301',
    lines: [{ ...LINE, name: "<Design> & 'Code'", description: 'lines\r\nand\u2028paragraphs\u0085' }],
  },
  'credit-note': {
    ...INVOICE,
    time: TIME,
    discountPercent: '12.5',
    credit: { reason: 'Zu viel berechnet', sixths: [3, 0, 2, 3], by: 'amount', isSecond: false },
  },
};

export const GOLDEN_DOCUMENTS: ReadonlyMap<string, PrintedInvoice> = new Map(
  Object.entries(DRAWN).map(([name, draw]) => [name, documentOf(draw)]),
);
