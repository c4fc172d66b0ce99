import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { afterAll, beforeEach, expect } from 'vitest';
import { createClient } from '#shared/contract/clients/create-client.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { getImport, listOverdueImports } from '#shared/data/remote/imports.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { type ImportJob, skippedCountOf } from '#shared/domain/remote/import-job.ts';
import { identifyRows, type RemoteRow } from '#shared/domain/remote/row.ts';
import type { QueueHandler } from '#shared/queue/consume.ts';
import { importMessage } from '#shared/queue/import-message.ts';
import type { ImportRequest } from '#shared/work/remote/start-import.ts';
import { ledgerSums, recount, totalsOf } from './bulk-entries.ts';
import { given, type User } from './given.ts';
import { invoke } from './invoke.ts';
import { remoteRow } from './remote-rows.ts';

/**
 * Imports whose messages a test delivers itself, as it likes. Everything else runs in functions in the test's
 * process: there are hundreds of calls, and over HTTP they would take longer than the imports.
 */

export type Message = v.InferOutput<typeof importMessage>;

interface HeldQueue {
  /** What was sent, in its order. */
  readonly messages: Message[];
  /** How many messages the queue takes. */
  capacity: number;
  /** Called with each message once it is in the queue. */
  onMessage: (message: Message) => void;
}

/** A queue that only keeps what it is sent. Call it once in a test file. */
export function useHeldQueue(): HeldQueue {
  const empty = () => ({ capacity: Number.POSITIVE_INFINITY, onMessage: () => {} });
  const held: HeldQueue = { messages: [], ...empty() };
  const sqs = mockClient(SQSClient);
  beforeEach(() => {
    held.messages.length = 0;
    Object.assign(held, empty());
    sqs.reset();
    sqs.on(SendMessageCommand).callsFake(({ MessageBody }: { MessageBody: string }) => {
      if (held.messages.length >= held.capacity) throw new Error('The queue takes no more.');
      const message = v.parse(importMessage, JSON.parse(MessageBody));
      held.messages.push(message);
      held.onMessage(message);
      return { MessageId: randomUUID() };
    });
  });
  afterAll(() => sqs.restore());
  return held;
}

/** A message for each unit, as if each unit had filled a message. */
export function split(messages: readonly Message[]): Message[] {
  return messages.flatMap((message) => message.units.map((unit) => ({ ...message, units: [unit] })));
}

/**
 * Delivers a message once.
 *
 * @returns whether the worker was done with it
 */
export async function deliver(
  worker: QueueHandler,
  message: { readonly organizationId: string },
  context: Parameters<QueueHandler>[1] = FUNCTION_CONTEXT,
): Promise<boolean> {
  const record = {
    messageId: randomUUID(),
    body: JSON.stringify(message),
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:imports.fifo',
    attributes: { MessageGroupId: message.organizationId, ApproximateReceiveCount: '1' },
  } as SQSRecord;
  const { batchItemFailures } = await worker({ Records: [record] }, context);
  return batchItemFailures.length === 0;
}

export const row = (values: Partial<RemoteRow> = {}): RemoteRow =>
  remoteRow({ date: '2026-11-02', rate: '19.99', currency: 'USD', ...values });

export const ACCOUNT_ID = 'account-1';

/** An import of a user's organization, ready to be started. */
export function importBy(by: User, rows: readonly RemoteRow[], values: Partial<ImportRequest> = {}): ImportRequest {
  return {
    organizationId: by.organization.id,
    userId: by.userId,
    keyId: by.keyId,
    accountId: ACCOUNT_ID,
    origin: null,
    organizationCurrency: by.organization.currency,
    rows,
    mappings: { clients: new Map(), projects: new Map(), users: new Map() },
    trigger: 'confirm',
    updateChanged: false,
    jobId: uuidV7(),
    now: new Date(),
    ...values,
  };
}

/** The entries that rows have become. */
export async function entriesOf(
  by: User,
  rows: readonly RemoteRow[],
  origin: string | null = null,
): Promise<StoredEntry[]> {
  const { id: organizationId } = by.organization;
  const identified = identifyRows(rows, { organizationId, accountId: ACCOUNT_ID, origin });
  const ids = new Set(identified.map((each) => each.entryId));
  return readEntries(organizationId, ids);
}

/** Expects that an import has ended, that its counts add up, and that it left nothing open. */
export async function expectEnded({
  organizationId,
  jobId,
}: Pick<ImportRequest, 'organizationId' | 'jobId'>): Promise<ImportJob> {
  const job = await getImport(organizationId, jobId);
  expect(job.status).not.toBe('processing');
  const { importedCount, updatedCount, dedupedCount, lockedCount, totalCount } = job;
  expect(importedCount + updatedCount + skippedCountOf(job) + job.invalidCount).toBe(totalCount);
  // If an import was completed, every row was counted by itself.
  if (job.status === 'imported') expect(importedCount + updatedCount + dedupedCount + lockedCount).toBe(totalCount);
  const open = await listOverdueImports(new Date('9999-01-01'));
  expect(open.filter(({ id }) => id === jobId)).toEqual([]);
  return job;
}

/** The context of a function with time to spare. */
export const FUNCTION_CONTEXT = { getRemainingTimeInMillis: (): number => 60_000 };

/**
 * Expects that the ledger and the totals of projects say what a recount of the entries says.
 *
 * @param entries all entries of the organization
 */
export async function expectRecounted(by: User, entries: readonly StoredEntry[]): Promise<void> {
  expect(await ledgerSums(by)).toEqual(recount(entries));
  const { data: projects } = await invoke(listProjects, by, { query: { limit: '200' } });
  for (const { id, totalMinutes, billableMinutes } of projects) {
    const counted = totalsOf(entries.filter(({ projectId }) => projectId === id));
    expect(counted).toMatchObject({ totalMinutes, billableMinutes });
  }
}

/** A user with a project of a client, and mappings of the names that the rows of the tests have. */
export async function givenMappings(): Promise<{ by: User; mappings: ImportRequest['mappings'] }> {
  const by = await given.user();
  const { data: client } = await invoke(createClient, by, { body: { name: 'Acme' } });
  const { data: project } = await invoke(createProject, by, {
    body: { name: 'Website', clientId: client.id, rate: 80 },
  });
  const [clients, projects] = [new Map([['Acme', client.id]]), new Map([['Website', project.id]])];
  return { by, mappings: { clients, projects, users: new Map() } };
}
