import type { ItemKind } from '#shared/contract/endpoint.ts';
import {
  apiKeyIdKey,
  apiKeyKey,
  apiKeyPartition,
  calendarPartition,
  claimingPartition,
  claimKey,
  clientPartition,
  countKey,
  dayPartition,
  declinedKey,
  deletedPartition,
  entryKey,
  importJobPartition,
  importUnitPartition,
  invoiceLinesKey,
  invoicePartition,
  ledgerMonthPartition,
  ledgerYearPartition,
  openImportPartition,
  organizationKey,
  organizationPartition,
  paymentPartition,
  productNamePartition,
  productPartition,
  productTextPartition,
  projectNameKey,
  projectPartition,
  releasingPartition,
  remoteNameKey,
  rosterPartition,
  runningTimerKey,
  sessionPartition,
  userNamePartition,
  userPartition,
} from './keys.ts';

/** A UUID in a pattern of IAM. `*` would stand for the separators of keys too, and so for items of any kind. */
const ID = '?'.repeat(36);

/** What ends a partition key. */
const ANYTHING = '*';

/**
 * Where the items of each kind lie: patterns of partition keys, as IAM compares them with `dynamodb:LeadingKeys`. A new
 * partition in `keys.ts` belongs to a kind here. A function that writes to it names the kind in its `access.writes`.
 */
export const partitionsOf: Readonly<Record<ItemKind, readonly string[]>> = {
  apiKey: [apiKeyKey(ANYTHING).pk, apiKeyIdKey(ID).pk, apiKeyPartition(ID), rosterPartition(ID)],
  claim: [claimKey(ID, ID).pk, claimingPartition, releasingPartition],
  client: [clientPartition(ID)],
  count: [countKey(ID, 'CLIENT').pk],
  declined: [declinedKey(ID, ANYTHING, ID).pk],
  deleted: [deletedPartition(ID)],
  entry: [entryKey(ID, ID).pk, dayPartition(ID, ANYTHING)],
  importJob: [importJobPartition(ID), importUnitPartition(ID, ID), openImportPartition],
  invoice: [invoicePartition(ID), invoiceLinesKey(ID, ID, ID, 0).pk],
  ledger: [calendarPartition(ID), ledgerMonthPartition(ID), ledgerYearPartition(ID)],
  organization: [organizationKey(ID).pk],
  organizationName: [organizationPartition],
  payment: [paymentPartition(ID, ID)],
  product: [
    productPartition(ID),
    productNamePartition(ID, 'ALL'),
    productNamePartition(ID, 'ACTIVE'),
    productTextPartition(ID),
  ],
  project: [projectPartition(ID), projectNameKey(ID, '').pk],
  remoteName: [remoteNameKey(ID, '', 'CLIENT', '').pk],
  timer: [runningTimerKey(ID, ID).pk, sessionPartition(ID, ID)],
  user: [userNamePartition(ID), userPartition(ID)],
};
