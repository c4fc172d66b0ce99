import type { ItemKind } from './item-kinds.ts';

/**
 * The build finds the calls in the code of a function (`permissions.ts`). Here stands what it cannot find. The keys in a
 * bundle would not tell it: a function that only reads clients spells their keys as well. Reads reach any item.
 */
export interface Access {
  /** The kinds of items that it writes, or checks in a transaction. Another kind is an AccessDeniedException. */
  readonly writes?: readonly ItemKind[];
  /** Indexes that the function may query. */
  readonly indexes?: readonly string[];
  /** It asks the table for its layout, and for nothing else. */
  readonly asksLayout?: true;
  /** The secrets that it handles are those of webhooks, not of connections. */
  readonly ofWebhooks?: true;
  /** It takes the URL of a webhook, which must not be one of this service, so it is told all names of it. */
  readonly takesUrls?: true;
  /** Queues (`shared/queues.ts`) that it may send to. */
  readonly sends?: readonly string[];
}

/** By the name of the function. */
export type AccessTable = Readonly<Record<string, Access>>;

/** Queues that a function sends to, with that of webhooks. */
export const queuesSentTo = (sender: Sender, table: AccessTable): readonly string[] => {
  const { sends = [] } = accessOf(sender.name, table);
  return tellsWebhooks(sender) ? [...new Set([...sends, 'webhooks'])] : sends;
};

/** What leaves events tells webhooks of them. Whatever authenticates may link a person, which is one. */
export const tellsWebhooks = ({ authenticates, leavesEvents }: Teller): boolean =>
  authenticates || leavesEvents === true;

interface Teller {
  readonly authenticates: boolean;
  readonly leavesEvents?: boolean;
}

interface Sender extends Teller {
  readonly name: string;
}

/** One without a row writes nothing, and sends nothing of its own. */
export const accessOf = (functionName: string, table: AccessTable): Access => table[functionName] ?? {};

export const access: AccessTable = {
  'create-product': { writes: ['externalId', 'product'] },
  'update-product': { writes: ['externalId', 'product'] },
  'delete-product': { writes: ['externalId', 'product'] },
  'create-client': { writes: ['client', 'count', 'directory', 'externalId'] },
  'list-clients': { indexes: ['byName'] },
  'update-client': { writes: ['client', 'directory', 'externalId'] },
  'delete-client': { writes: ['client', 'count', 'deleted', 'directory', 'externalId'] },
  'create-invoice': { writes: ['client', 'count', 'entry', 'externalId', 'hold', 'invoice', 'product'] },
  'list-invoices': { indexes: ['byIssueDate', 'byDueDate', 'byNumber', 'byTotal'] },
  'update-invoice': { writes: ['client', 'entry', 'externalId', 'hold', 'invoice', 'product'] },
  'delete-invoice': { writes: ['count', 'externalId', 'hold', 'invoice'] },
  'send-invoice': { writes: ['count', 'invoice', 'number'] },
  'pay-invoice': { writes: ['invoice', 'payment'] },
  'create-payment': { writes: ['invoice', 'payment'] },
  'create-refund': { writes: ['invoice', 'payment'] },
  'delete-payment': { writes: ['invoice', 'payment'] },
  'void-invoice': { writes: ['hold', 'invoice'] },
  'create-credit-note': { writes: ['count', 'creditNote', 'hold', 'invoice', 'number'] },
  'list-credit-notes': { indexes: ['byIssueDate', 'byNumber', 'byTotal'] },
  'create-project': { writes: ['client', 'count', 'directory', 'project'] },
  'update-project': { writes: ['client', 'directory', 'project'] },
  'delete-project': { writes: ['count', 'directory', 'project'] },
  'create-entry': { writes: ['entry', 'ledger', 'lock', 'project'] },
  'update-entry': { writes: ['entry', 'hold', 'ledger', 'lock', 'project'] },
  'delete-entry': { writes: ['entry', 'hold', 'ledger', 'lock', 'project'] },
  'start-timer': { writes: ['timer'] },
  'update-timer': { writes: ['timer'] },
  'stop-timer': { writes: ['entry', 'ledger', 'lock', 'project', 'timer'] },
  'discard-timer': { writes: ['timer'] },
  'connect-remote': { writes: ['organization'] },
  'update-remote-settings': { writes: ['organization'] },
  'disconnect-remote': { writes: ['organization'] },
  'confirm-remote-sync': { writes: ['count', 'importJob', 'remoteName'], sends: ['imports'] },
  'import-rows': { writes: ['count', 'importJob', 'remoteName'], sends: ['imports'] },
  'undo-remote-sync': { writes: ['entry', 'hold', 'importJob', 'ledger', 'lock', 'project'] },
  'import-chunk': { writes: ['entry', 'hold', 'importJob', 'ledger', 'lock', 'organization', 'project'] },
  'sync-connection': {
    writes: ['count', 'hold', 'importJob', 'organization', 'provider'],
    sends: ['imports'],
  },
  'close-import': { writes: ['organization', 'importJob'] },
  'sweep-imports': { writes: ['organization', 'importJob'], indexes: ['byDue'] },
  'sync-scheduler': { writes: ['organization'], indexes: ['byDue'], sends: ['syncs'] },
  'create-api-key': { writes: ['apiKey', 'count', 'directory', 'user'] },
  'revoke-api-key': { writes: ['apiKey'] },
  'update-me': { writes: ['directory', 'user'] },
  'link-me': { writes: ['person', 'user'] },
  'create-user': { writes: ['count', 'directory', 'user'] },
  'update-user': { writes: ['count', 'directory', 'user'] },
  'remove-user': { writes: ['apiKey', 'count', 'directory', 'timer', 'user'] },
  'end-sign-ins': { writes: ['user'] },
  'create-invitation': { writes: ['user'] },
  'update-organization': { writes: ['count', 'directory', 'lock', 'number', 'organization', 'organizationName'] },
  'set-logo': { writes: ['logo', 'organization'] },
  'delete-logo': { writes: ['organization'] },
  'create-organization': {
    writes: ['apiKey', 'count', 'directory', 'organization', 'organizationListing', 'organizationName', 'user'],
  },
  'delete-organization': { writes: ['organization', 'organizationListing', 'organizationName'] },
  'erase-organization': { writes: ['anyOfOrganization', 'apiKey', 'organizationListing', 'person', 'user'] },
  'deletion-scheduler': { writes: ['organization'], indexes: ['byDue'], sends: ['deletions'] },
  'list-events': { writes: ['feed', 'outbox'] },
  'create-webhook': {
    writes: ['feed', 'organization', 'outbox', 'webhook'],
    ofWebhooks: true,
    takesUrls: true,
    sends: ['webhooks'],
  },
  'list-webhooks': { writes: ['feed', 'outbox'] },
  'get-webhook': { writes: ['feed', 'outbox'] },
  'update-webhook': {
    writes: ['feed', 'organization', 'outbox', 'webhook'],
    takesUrls: true,
    sends: ['webhooks'],
  },
  'delete-webhook': { writes: ['feed', 'organization', 'outbox', 'webhook'] },
  'rotate-webhook-secret': { writes: ['feed', 'outbox', 'webhook'], ofWebhooks: true },
  'test-webhook': { writes: ['feed', 'outbox'], ofWebhooks: true },
  'deliver-events': {
    writes: ['feed', 'organization', 'outbox', 'webhook'],
    ofWebhooks: true,
    sends: ['webhooks'],
  },
  'webhook-scheduler': { indexes: ['byDue'], sends: ['webhooks'] },
  'get-health': { asksLayout: true },
};
