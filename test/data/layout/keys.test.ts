import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  ANY_ID,
  apiKeyIdKey,
  apiKeyKey,
  apiKeyListingKey,
  billingKey,
  breakerKey,
  calendarKey,
  clientKey,
  clientNameOrder,
  connectionDueKey,
  connectionKey,
  countKey,
  creditNoteKey,
  creditNoteLinesKey,
  creditNoteOrders,
  creditNoteRowKey,
  dateOrderRange,
  dayKey,
  dayPrefix,
  deletedKey,
  deletionDueKey,
  directoryChangesAfter,
  directoryChangesKey,
  directoryRows,
  directoryRowsKey,
  dueBy,
  dueObjectOf,
  dueOf,
  emailKey,
  emailPartitions,
  entryIdOf,
  entryKey,
  entryMetadataKey,
  eventPageKey,
  externalIdKey,
  feedKey,
  givenNumberKey,
  heldBackKey,
  heldBackOf,
  holdKey,
  hourOfKept,
  idempotencyKey,
  importDueKey,
  importJobKey,
  importUnitKey,
  invitationKey,
  invoiceCreditsKey,
  invoiceKey,
  invoiceLinesKey,
  invoiceOrders,
  invoiceRowKey,
  keptAnswerKey,
  keptCountKey,
  keptHours,
  kindOf,
  LAYOUT,
  lastDirectoryChangesKey,
  layoutKey,
  ledgerMonthKey,
  ledgerMonthPrefix,
  ledgerPageOf,
  ledgerYearKey,
  ledgerYearPrefix,
  linkKey,
  lockKeys,
  logoKey,
  numberingKey,
  numberPlace,
  organizationCountKey,
  organizationKey,
  organizationListingKey,
  organizationNameKey,
  outboxKey,
  outboxSortAt,
  partitionsOfOrganizations,
  paymentKey,
  personPartition,
  personPartitions,
  productKey,
  productNameKey,
  productTextKey,
  projectKey,
  projectNameKey,
  referenceKey,
  remoteNameKey,
  ringKey,
  ringSlotKey,
  rosterKey,
  runningTimerKey,
  seriesKey,
  sessionCountKey,
  sessionKey,
  sortKeyRange,
  usedFormatKey,
  userBucket,
  userKey,
  userNameKey,
  webhookDueKey,
  webhookKey,
} from '#shared/data/layout/keys.ts';

const [STARTED, NOW] = ['2026-11-20T08:00:00.000Z', '2026-11-20T12:34:56.789Z'];

const ID = '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const person = personPartition('issuer', 'subject');
const digestOfPerson = digest('["issuer","subject"]');
const request = idempotencyKey('acme', 'ana', 'key');
const kept = 'ORG#acme#IDEMPOTENCY#ana';

const entry = { organizationId: 'acme', entryDate: '2026-11-20', clientId: 'north', projectId: 'site', id: 'id' };
const dimensions = { clientId: 'north', projectId: 'site', currency: 'EUR', source: 'import', billable: true };
const noLinks = { ...dimensions, clientId: null, projectId: null, billable: false };

const document = { organizationId: 'acme', id: 'id', issueDate: '2026-11-20', numberPlace: null, total: '7.5' };
const [invoices, creditNotes] = ['ORG#acme#INVOICE', 'ORG#acme#CREDIT_NOTE'];
const issued = '2026-11-20\u0001id';
const total = `${'7'.padStart(32, '0')}.500\u0001id`;

/** Each key, in the table or in an index, and what it is there: first the partition, then what sorts in it. */
const KEYS: readonly (readonly [object, ...string[]])[] = [
  [layoutKey, 'LAYOUT', 'LAYOUT'],
  [countKey('acme', 'CLIENT'), 'ORG#acme#COUNT', 'CLIENT'],
  [countKey('acme', 'PRODUCT'), 'ORG#acme#PRODUCT', '~COUNT'],

  [apiKeyKey('hash'), 'KEY#hash', 'KEY'],
  [apiKeyKey(userBucket('acme', 'ana')), 'KEY#acme:ana', 'KEY'],
  [apiKeyKey(person), `KEY#PERSON#${digestOfPerson}`, 'KEY'],
  [apiKeyIdKey('id'), 'KEYID#id', 'KEY'],
  [apiKeyListingKey('acme', 'id'), 'ORG#acme#APIKEY', 'id'],
  [rosterKey('acme'), 'ORG#acme#ROSTER', 'ROSTER'],
  [referenceKey(person, 'acme'), `PERSON#${digestOfPerson}`, 'acme'],
  [linkKey('acme', 'ana', person), 'ORG#acme#LINK', `ana#${digestOfPerson}`],
  [invitationKey('hash'), 'INVITATION#hash', 'INVITATION'],
  [emailKey('acme', 'ana@acme.example'), `EMAIL#${digest('ana@acme.example')}`, 'acme'],

  [organizationNameKey('acme inc.'), 'ORGANIZATION_NAMES', digest('acme inc.')],
  [organizationListingKey('acme'), 'ORGANIZATIONS', 'acme'],
  [organizationCountKey, 'ORGANIZATIONS#COUNT', 'COUNT'],
  [organizationKey('acme'), 'ORG#acme', 'ORGANIZATION'],
  [deletionDueKey('acme', NOW), 'DUE_DELETION', `${NOW}#acme`],
  [logoKey('acme', 'hash'), 'ORG#acme#LOGO', 'hash'],
  [userNameKey('acme', 'ana'), 'ORG#acme#USERNAME', digest('ana')],
  [userKey('acme', 'ana'), 'ORG#acme#USER', 'ana'],

  [directoryRowsKey('acme', 'id-1f'), 'ORG#acme#DIRECTORY', 'ROWS#1f'],
  [directoryChangesKey('acme', 7), 'ORG#acme#DIRECTORY', 'CHANGES#0000000007'],
  [lastDirectoryChangesKey('acme'), 'ORG#acme#DIRECTORY', 'CHANGES#~'],
  [deletedKey('acme', 'north'), 'ORG#acme#DELETED', 'north'],
  [
    lockKeys('acme').flatMap(({ pk, sk }) => [pk, sk]),
    ...['', '~1', '~2', '~3', '~4'].flatMap((shard) => ['ORG#acme#LOCK', `LOCK${shard}`]),
  ],

  [productKey('acme', 'id'), 'ORG#acme#PRODUCT', 'id'],
  [productNameKey('acme', 'ALL', 'id'), 'ORG#acme#PRODUCT_NAME#ALL', 'id'],
  [productTextKey('acme', 'id-1f'), 'ORG#acme#PRODUCT_TEXT', 'f#id-1f'],
  [clientKey('acme', 'north'), 'ORG#acme#CLIENT', 'north'],
  [clientNameOrder('acme', ['zoe', 'zoë'], 'id'), 'ORG#acme#CLIENT', 'zoe\u0001zoë\u0001id'],
  [clientNameOrder('acme', ['ann', 'ann'], 'id'), 'ORG#acme#CLIENT', 'ann\u0001\u0001id'],
  [projectKey('acme', 'site'), 'ORG#acme#PROJECT', 'site'],
  [projectNameKey('acme', 'web site'), 'ORG#acme#NAME', `PROJECT#${digest('web site')}`],
  [externalIdKey('acme', ['INVOICE', 'R-7']), 'ORG#acme#EXTERNAL_ID', `INVOICE#${digest('R-7')}`],

  [entryKey('acme', 'id'), 'ORG#acme#ENTRY#id', 'ENTRY'],
  [entryMetadataKey('acme', 'id'), 'ORG#acme#ENTRY#id', 'METADATA'],
  [
    dayKey({ ...entry, startedAt: STARTED, createdAt: NOW }),
    'ORG#acme#DAY#2026-11-20',
    `north#site#${STARTED}#${NOW}#id`,
  ],
  [
    dayKey({ ...entry, clientId: null, projectId: null, startedAt: null, createdAt: NOW }),
    'ORG#acme#DAY#2026-11-20',
    `-#-##${NOW}#id`,
  ],
  [calendarKey('acme', '2026-11'), 'ORG#acme#CALENDAR', '2026-11'],
  [ledgerMonthKey('acme', '2026-11', dimensions), 'ORG#acme#LEDGER', '2026-11#north#site#EUR#import#1'],
  [ledgerMonthKey('acme', '2026-11', noLinks), 'ORG#acme#LEDGER', '2026-11#-#-#EUR#import#0'],
  [ledgerYearKey('acme', '2026', dimensions), 'ORG#acme#LEDGER_YEAR', '2026#site#north#EUR#import#1'],
  [ledgerYearKey('acme', '2026', noLinks), 'ORG#acme#LEDGER_YEAR', '2026#-#-#EUR#import#0'],

  [runningTimerKey('acme', 'ana'), 'ORG#acme#USER#ana', 'TIMER'],
  [sessionCountKey('acme', 'ana'), 'ORG#acme#USER#ana', 'SESSIONS'],
  [sessionKey('acme', 'ana', 'id'), 'ORG#acme#USER#ana#SESSION', 'id'],

  [request, kept, `REQUEST#${digest('key')}`],
  [keptAnswerKey(request, 'attempt', 2), kept, `ANSWER#${digest('key')}#attempt#2`],
  [keptCountKey('acme', 'ana', NOW), kept, 'KEPT#2026-11-20T12'],
  [ringKey('acme', 'ana'), kept, 'RING'],
  [ringSlotKey('acme', 'ana', 7), kept, 'SLOT#7'],

  [connectionKey('acme'), 'ORG#acme', 'REMOTE'],
  [breakerKey, 'PROVIDER', 'BREAKER'],
  [
    remoteNameKey('acme', 'account', 'CLIENT', 'North'),
    'ORG#acme#REMOTE_NAME',
    `CLIENT#${digest('["account","North"]')}`,
  ],
  [importJobKey('acme', 'job'), 'ORG#acme#IMPORT_JOB', 'job'],
  [importUnitKey('acme', 'job', 7), 'ORG#acme#IMPORT_JOB#job', '00007'],
  [
    heldBackKey('acme', 'account', '2026-11-20', 'entry'),
    'ORG#acme#HELD_BACK',
    `${digest('account')}#2026-11-20#entry`,
  ],
  [connectionDueKey('acme', NOW), 'DUE#6', `${NOW}#acme`],
  [importDueKey('acme', 'job', NOW), 'DUE_IMPORT#6', `${NOW}#acme#job`],

  [invoiceKey('acme', 'id'), invoices, 'id'],
  [invoiceRowKey('acme', 'id'), 'ORG#acme#INVOICE_ROW', 'id'],
  [invoiceLinesKey('acme', 'id', 'lines', 2), 'ORG#acme#INVOICE#id', 'LINES#lines#2'],
  [invoiceCreditsKey('acme', 'id', 'state', 2), 'ORG#acme#INVOICE#id', 'CREDITED#state#2'],
  [numberingKey('acme', 'INVOICE'), 'ORG#acme#COUNT', 'INVOICE_NUMBER'],
  [
    seriesKey('acme', { kind: 'INVOICE', format: 'R-{number}', period: '2026' }),
    'ORG#acme#NUMBER',
    'INVOICE#SERIES#2026#R-{number}',
  ],
  [givenNumberKey('acme', ['INVOICE', 'R-7']), 'ORG#acme#NUMBER', 'INVOICE#GIVEN#R-7'],
  [usedFormatKey('acme', ['INVOICE', 'R-{number}']), 'ORG#acme#NUMBER', 'INVOICE#FORMAT#R-{number}'],
  [paymentKey('acme', 'id', 'payment'), 'ORG#acme#INVOICE#id#PAYMENT', 'payment'],
  [creditNoteKey('acme', 'id'), creditNotes, 'id'],
  [creditNoteRowKey('acme', 'id'), 'ORG#acme#CREDIT_NOTE_ROW', 'id'],
  [creditNoteLinesKey('acme', 'id', 2), 'ORG#acme#CREDIT_NOTE#id', 'LINES#2'],
  [
    invoiceOrders({ ...document, dueDate: '2026-12-20', number: 'R-2026-7' }),
    ...[invoices, issued, invoices, 'R-2026-000000000007\u0001id', invoices, total],
    ...[invoices, '2026-12-20\u0001id'],
  ],
  [
    invoiceOrders({ ...document, dueDate: null, number: null }),
    ...[invoices, issued, invoices, '~\u0001id', invoices, total],
    ...[invoices, '~\u0001id'],
  ],
  [
    creditNoteOrders({ ...document, number: 'R-7', numberPlace: numberPlace(3, 7) }),
    ...[creditNotes, issued, creditNotes, 'S000003#000000007\u0001id', creditNotes, total],
  ],
  [holdKey('acme', 'hold'), 'ORG#acme#HOLD#hold', 'HOLD'],
  [billingKey('acme', 'north'), 'ORG#acme#BILLING', 'north'],

  [outboxKey('acme', 'id'), 'ORG#acme#OUTBOX', 'id'],
  [eventPageKey('acme', 7), 'ORG#acme#EVENT', '000000000000007'],
  [feedKey('acme'), 'ORG#acme#FEED', 'FEED'],
  [webhookKey('acme', 'id'), 'ORG#acme#WEBHOOK', 'id'],
  [webhookDueKey('acme', 'id', NOW), 'DUE_WEBHOOK#6', `${NOW}#acme#id`],
];

it('an item lies where the versions before have left it: another key is another layout', () => {
  expect(KEYS.map(([key]) => Object.values(key))).toEqual(KEYS.map(([, ...values]) => values));
  expect(LAYOUT).toBe(21);
});

it('a range has all that begins so, or that lies between, and nothing else', () => {
  expect(sortKeyRange('a', 'b')).toEqual({ from: 'a', to: 'b~~' });
  expect(directoryRows).toEqual({ from: 'ROWS#', to: 'ROWS#~~' });
  expect(directoryChangesAfter(6)).toEqual({ from: 'CHANGES#0000000007', to: 'CHANGES#~' });
  expect(heldBackOf('account')).toEqual({ from: `${digest('account')}#`, to: `${digest('account')}#~~` });
  expect(keptHours(STARTED, NOW)).toEqual({ from: 'KEPT#2026-11-20T08', to: 'KEPT#2026-11-20T12' });
  expect(dateOrderRange({})).toEqual({ from: '0', to: '9999-12-31\u0001~' });
  expect(dateOrderRange({ from: '2026-11-01', to: '2026-11-30' })).toEqual({
    from: '2026-11-01',
    to: '2026-11-30\u0001~',
  });
  expect(dueBy(NOW)).toBe(`${NOW}~`);
  expect(outboxSortAt(0x1_2345_6789ab)).toBe('01234567-89ab');
  expect([dayPrefix('north'), dayPrefix('north', 'site')]).toEqual(['north#', 'north#site#']);
  expect([dayPrefix(null), dayPrefix(null, null)]).toEqual(['-#', '-#-#']);
  expect([ledgerMonthPrefix('2026-11', 'north'), ledgerYearPrefix('2026', null)]).toEqual([
    '2026-11#north#',
    '2026#-#',
  ]);
});

it('a key tells what it is made of', () => {
  expect(entryIdOf(dayKey({ ...entry, id: ID, startedAt: STARTED, createdAt: NOW }).sk)).toBe(ID);
  for (const each of [dimensions, noLinks]) {
    for (const shard of ['', '~3']) {
      const month = `${ledgerMonthKey('acme', '2026-11', each).sk}${shard}`;
      expect(ledgerPageOf(month)).toEqual({ period: '2026-11', dimensions: each });
      const year = `${ledgerYearKey('acme', '2026', each).sk}${shard}`;
      expect(ledgerPageOf(year)).toEqual({ period: '2026', dimensions: each });
    }
  }
  expect(hourOfKept(keptCountKey('acme', 'ana', NOW).sk)).toBe('2026-11-20T12:00:00.000Z');
  expect(dueOf(connectionDueKey('acme', NOW).dueSk)).toEqual({ dueAt: NOW, organizationId: 'acme' });
  expect(dueObjectOf(importDueKey('acme', 'job', NOW).dueSk)).toEqual({ organizationId: 'acme', id: 'job' });
  expect(['ORG#acme#INVOICE#id', 'ORG#acme', 'LAYOUT'].map(kindOf)).toEqual(['INVOICE', 'ORG', 'LAYOUT']);
});

it('the pattern of an id in a role has as many characters as an id, so that it takes no separator', () => {
  expect(ANY_ID).toBe(ID.replaceAll(/./g, '?'));
  expect(partitionsOfOrganizations).toBe(`ORG#${ANY_ID}*`);
  expect([personPartitions, emailPartitions]).toEqual(['PERSON#*', 'EMAIL#*']);
});

it.each([
  ['the issuer and the subject of a person', personPartition],
  ['an account and a name in it', (account: string, name: string) => remoteNameKey('acme', account, 'CLIENT', name).sk],
])('%s may have any characters, and are kept apart', (_, keyOf) => {
  const keys = [keyOf('a', 'b c'), keyOf('a b', 'c'), keyOf('b', 'b c'), keyOf('ab', ' c'), keyOf('a","b', 'c')];
  expect(new Set(keys).size).toBe(keys.length);
});
