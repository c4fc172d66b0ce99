import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { parseEnv, setting } from '#shared/runtime/env.ts';

/** The one connection to the table that a running function keeps. */

export const { TABLE_NAME } = parseEnv({ TABLE_NAME: setting });

const client = new DynamoDBClient({
  maxAttempts: 4,
  // All attempts together fit into the time that a function has. By itself the SDK would only warn of a late answer.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

/** Sums of money outgrow what a JavaScript number holds exactly; such a number comes as a bigint. All numbers in the table are whole. */
function exactNumber(text: string): number | bigint {
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

export const database = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
  unmarshallOptions: { wrapNumbers: exactNumber },
});
