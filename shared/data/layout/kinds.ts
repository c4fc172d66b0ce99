import type { ItemKind } from '#shared/contract/endpoint.ts';
import {
  ANY_ID,
  apiKeyIdKey,
  apiKeyKey,
  apiKeyPartition,
  billingPartition,
  breakerKey,
  calendarPartition,
  clientPartition,
  countKey,
  dayPartition,
  deletedPartition,
  directoryPartition,
  entryKey,
  holdKey,
  importJobPartition,
  importUnitPartition,
  invoiceLinesKey,
  invoicePartition,
  ledgerMonthPartition,
  ledgerYearPartition,
  organizationKey,
  organizationPartition,
  paymentPartition,
  productNamePartition,
  productPartition,
  productTextPartition,
  projectNameKey,
  projectPartition,
  remoteNameKey,
  rosterPartition,
  runningTimerKey,
  sessionPartition,
  userNamePartition,
  userPartition,
} from './keys.ts';

/** Any end of a partition key. */
const ANYTHING = '*';

/**
 * Where the items of each kind lie: patterns of partition keys, as IAM compares them with `dynamodb:LeadingKeys`. A new
 * partition in `keys.ts` belongs to a kind here. A function that writes to it names the kind in its `access.writes`.
 */
export const partitionsOf: Readonly<Record<ItemKind, readonly string[]>> = {
  apiKey: [apiKeyKey(ANYTHING).pk, apiKeyIdKey(ANY_ID).pk, apiKeyPartition(ANY_ID), rosterPartition(ANY_ID)],
  client: [clientPartition(ANY_ID)],
  count: [countKey(ANY_ID, 'CLIENT').pk],
  deleted: [deletedPartition(ANY_ID)],
  directory: [directoryPartition(ANY_ID)],
  entry: [entryKey(ANY_ID, ANY_ID).pk, dayPartition(ANY_ID, ANYTHING)],
  hold: [holdKey(ANY_ID, ANY_ID).pk, billingPartition(ANY_ID)],
  importJob: [importJobPartition(ANY_ID), importUnitPartition(ANY_ID, ANY_ID)],
  invoice: [invoicePartition(ANY_ID), invoiceLinesKey(ANY_ID, ANY_ID, ANY_ID, 0).pk],
  ledger: [calendarPartition(ANY_ID), ledgerMonthPartition(ANY_ID), ledgerYearPartition(ANY_ID)],
  organization: [organizationKey(ANY_ID).pk],
  organizationName: [organizationPartition],
  payment: [paymentPartition(ANY_ID, ANY_ID)],
  product: [
    productPartition(ANY_ID),
    productNamePartition(ANY_ID, 'ALL'),
    productNamePartition(ANY_ID, 'ACTIVE'),
    productTextPartition(ANY_ID),
  ],
  project: [projectPartition(ANY_ID), projectNameKey(ANY_ID, '').pk],
  provider: [breakerKey.pk],
  remoteName: [remoteNameKey(ANY_ID, '', 'CLIENT', '').pk],
  timer: [runningTimerKey(ANY_ID, ANY_ID).pk, sessionPartition(ANY_ID, ANY_ID)],
  user: [userNamePartition(ANY_ID), userPartition(ANY_ID)],
};
