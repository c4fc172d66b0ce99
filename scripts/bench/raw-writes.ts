import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { database } from '#shared/data/dynamo/database.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { newImport } from '#shared/domain/remote/import-job.ts';
import { importedEntry, planRow, unitsOf } from '#shared/domain/remote/import-plan.ts';
import { identifyRows, type RemoteRow } from '#shared/domain/remote/row.ts';

export interface RawWrites {
  readonly organizationId: string;
  readonly userId: string;
  readonly rows: readonly RemoteRow[];
  /** Ids by the names in the rows. */
  readonly projects: ReadonlyMap<string, string>;
}

/** The transactions of an import of rows, without its marks and counters, as DynamoDB takes them. */
export async function writesOf({ organizationId, userId, rows, projects }: RawWrites): Promise<TransactWriteItem[][]> {
  const mappings = { clients: new Map<string, string>(), projects };
  const links = await readLinks(
    organizationId,
    [...projects.values()].map((projectId) => ({ projectId, clientId: null })),
  );
  const identified = identifyRows(rows, { organizationId, accountId: 'raw', currency: 'USD' });
  const units = unitsOf(
    identified.map((row) => planRow(row, mappings, links, 'USD')),
    false,
  );
  const counts = { totalCount: rows.length, unitCount: units.length };
  const terms = { id: 'raw', accountId: 'raw', trigger: 'confirm', updateChanged: false } as const;
  const job = newImport({ ...terms, ...counts, organizationId, userId }, 0, new Date());
  const captured: TransactWriteItem[][] = [];
  database.middlewareStack.add(
    () => async (request) => {
      captured.push(marshalled(request.input));
      return { response: {}, output: { $metadata: {} } };
    },
    { step: 'initialize', name: 'capture', priority: 'high' },
  );
  try {
    for (const unit of units) {
      await writeEntries(
        organizationId,
        unit.rows.map((row) => ({ before: null, after: importedEntry(row, job) })),
      );
    }
  } finally {
    database.middlewareStack.remove('capture');
  }
  return captured;
}

/**
 * Translates the document client's terms to DynamoDB's. The values are in the item, in the key and in the
 * values of expressions.
 */
function marshalled(input: object): TransactWriteItem[] {
  const { TransactItems } = input as { TransactItems: Record<string, Record<string, unknown>>[] };
  return TransactItems.map((action) =>
    Object.fromEntries(
      Object.entries(action).map(([kind, parameters]) => [
        kind,
        Object.fromEntries(
          Object.entries(parameters).map(([name, value]) => [
            name,
            VALUES.has(name) && value ? marshall(value, OPTIONS) : value,
          ]),
        ),
      ]),
    ),
  ) as TransactWriteItem[];
}

const VALUES: ReadonlySet<string> = new Set(['Item', 'Key', 'ExpressionAttributeValues']);

const OPTIONS = { removeUndefinedValues: true };
