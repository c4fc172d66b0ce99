import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

export interface Task {
  readonly name: string;
  /** How many deliveries fail before one succeeds. */
  readonly failures?: number;
  readonly sleepMilliseconds?: number;
  /** Fails the whole batch by throwing. */
  readonly throws?: boolean;
}

const database = new DynamoDB({});

/** Writes each delivery into the table, where a test finds it. Fails the deliveries that it is told to fail. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures = [];
  for (const record of Records) {
    const { failures = 0, sleepMilliseconds = 0, throws }: Task = JSON.parse(record.body);
    await note(record);
    await sleep(sleepMilliseconds);
    const isFailing = Number(record.attributes.ApproximateReceiveCount) <= failures;
    if (isFailing && throws) throw new Error('failed on purpose');
    if (isFailing) batchItemFailures.push({ itemIdentifier: record.messageId });
  }
  return { batchItemFailures };
}

async function note(record: SQSRecord): Promise<void> {
  const { name }: Task = JSON.parse(record.body);
  await database.putItem({
    TableName: process.env.TABLE_NAME,
    Item: {
      pk: { S: 'DELIVERIES' },
      sk: { S: `${Date.now()}#${name}#${record.attributes.ApproximateReceiveCount}` },
      name: { S: name },
      record: { S: JSON.stringify(record) },
    },
  });
}
