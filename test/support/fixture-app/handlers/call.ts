import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as kms from '@aws-sdk/client-kms';
import * as sqs from '@aws-sdk/client-sqs';

interface CallEvent {
  readonly operation: string;
  readonly input: unknown;
}

const clients = {
  dynamodb: new dynamodb.DynamoDB({ maxAttempts: 1 }),
  kms: new kms.KMS({ maxAttempts: 1 }),
  sqs: new sqs.SQS({ maxAttempts: 1 }),
};

/** Calls AWS as it is told (`dynamodb.putItem`), with the role that the function has, and returns the outcome. */
export async function handler({ operation, input }: CallEvent): Promise<object> {
  const [service = '', method = ''] = operation.split('.');
  const client = Reflect.get(clients, service);
  try {
    const { $metadata, ...output } = await client[method](input);
    return { output };
  } catch (error) {
    return error instanceof Error ? { error: error.name, message: error.message } : { error: 'unknown' };
  }
}
