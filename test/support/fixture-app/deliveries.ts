import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { Cloud } from '#scripts/local/cloud.ts';

/** What the fixture's workers noted about the messages that they were given. */
export interface Delivery {
  readonly name: string;
  /** The record of the event, as JSON. */
  readonly record: string;
}

/** The deliveries of the tasks whose names begin with a text, in their order. */
export async function deliveriesOf(
  { cloud, database }: { cloud: Pick<Cloud, 'tableName'>; database: DynamoDB },
  prefix: string,
): Promise<Delivery[]> {
  const { Items = [] } = await database.query({
    TableName: cloud.tableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'DELIVERIES' } },
  });
  const deliveries = Items.map(({ name, record }) => ({ name: name?.S ?? '', record: record?.S ?? '' }));
  return deliveries.filter(({ name }) => name.startsWith(prefix));
}

/** The URL of the fixture's queue with this construct id. */
export function urlOf({ queueUrls }: Pick<Cloud, 'queueUrls'>, id: string): string {
  const url = Object.entries(queueUrls).find(([name]) => name.startsWith(`FixtureData-${id}`))?.[1];
  if (url === undefined) throw new Error(`The fixture has no queue ${id}.`);
  return url;
}

/** A task for a worker of the fixture. */
export function messageOf<Task extends { readonly name: string }>(task: Task, group: string) {
  return { MessageBody: JSON.stringify(task), MessageGroupId: group, MessageDeduplicationId: task.name };
}
