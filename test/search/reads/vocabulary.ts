/** They are of few months, so that entries meet on the pages of the ledger and the calendar, and of three years. */
export const DAYS = [
  '2025-12-31',
  '2026-01-01',
  '2026-01-31',
  '2026-02-01',
  '2026-10-15',
  '2026-11-01',
  '2026-11-02',
  '2026-11-20',
  '2027-01-01',
];

/** Months around these days. */
export const MONTHS = [
  { dateFrom: '2025-12-01', dateTo: '2025-12-31' },
  { dateFrom: '2026-01-01', dateTo: '2026-01-31' },
  { dateFrom: '2026-02-01', dateTo: '2026-02-28' },
  { dateFrom: '2026-10-01', dateTo: '2026-10-31' },
  { dateFrom: '2026-11-01', dateTo: '2026-11-30' },
  { dateFrom: '2027-01-01', dateTo: '2027-01-31' },
];

export const CURRENCIES = ['USD', 'JPY', 'BHD'];

/** Some are equal in any case, and one has a comma. */
export const TAGS = ['Design', 'DESIGN', 'Straße', 'x, y', 'x', 'y'];

export const EXTERNAL_IDS = ['crm 1', 'CRM 1', 'x'];

export const WORDS = [
  'Review',
  'REVIEW of the draft',
  'Straße',
  'STRASSE',
  'Übung',
  'Σίσυφος',
  'call 100%',
  'kick_off',
];

/** Names of clients and projects. They are so few that a name is free again, or taken, every now and then. */
export const NAMES = ['Globex', 'Initech', 'Umbrella', 'Straßenbau', 'Ångström', 'Hooli & Sons', 'Soylent', 'globex'];
