import { DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AwsHttp } from '#shared/runtime/aws-http.ts';
import { backOff } from '#shared/runtime/backoff.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { assertLayout, checkLayout, readsLayout } from './layout.ts';

export const { TABLE_NAME } = parseEnv({ TABLE_NAME: setting });

/** All attempts together fit into the time that a function behind the API has. */
const ATTEMPT_MILLISECONDS = 2_000;

const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: new AwsHttp(ATTEMPT_MILLISECONDS),
});

// The first copies every request and answer for a logger, and no logger is set. The second says to AWS which SDK calls.
for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) client.middlewareStack.remove(name);

/** All calls wait for the check of the layout, but for the check's own. */
client.middlewareStack.add((next) => async (args) => {
  if (!readsLayout(args.input)) await checkLayout(database, TABLE_NAME);
  return next(args);
});

/** Lambda gives code ten seconds to load. */
const PREPARE_MILLISECONDS = 3_000;

/** Opens a connection, and checks the layout. If it fails, the first call does it. */
export async function prepareTable(): Promise<void> {
  await withDeadline(PREPARE_MILLISECONDS, () => checkLayout(database, TABLE_NAME)).catch(() => undefined);
}

/** @throws Error unless the table answers now, and has the layout of this version */
export const askTable = (): Promise<void> => assertLayout(database, TABLE_NAME);

const CONFLICT_ATTEMPTS = 6;

/** DynamoDB refuses a single write while a transaction holds the item. The SDK does not retry that. */
client.middlewareStack.add(
  (next) => async (args) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await next(args);
      } catch (error) {
        if (!(error instanceof TransactionConflictException) || attempt === CONFLICT_ATTEMPTS) throw error;
      }
      await backOff(attempt);
    }
  },
  { step: 'finalizeRequest' },
);

/** Sums of money outgrow what a JavaScript number holds exactly. All numbers in the table are whole. */
function exactNumber(text: string): number | bigint {
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

export const database = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
  unmarshallOptions: { wrapNumbers: exactNumber },
});
