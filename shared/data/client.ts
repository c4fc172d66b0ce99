import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { parseEnv, setting } from '#shared/runtime/env.ts';

/** The one connection to the table that a running function keeps. */

export const { TABLE_NAME } = parseEnv({ TABLE_NAME: setting });

const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
});

export const database = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
