import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '#scripts/local/cloud.ts';
import { EmulatorClient } from '#scripts/local/emulator-client.ts';
import { type CountedCall, costOfCalls, isLease, type TableCost, unitsOf } from './units.ts';

/** Measures how functions use AWS while they answer real requests. */

interface Cost extends TableCost {
  /** What SQS bills for messages: see {@link requestsOfMessages}. */
  readonly queueRequests: number;
  readonly kmsCalls: number;
}

/** Runs an operation, and tells what all functions use meanwhile. Roles are not enforced during the operation. */
export async function metered<T>(cloud: Cloud, operation: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  const calls: CountedCall[] = [];
  let [queueRequests, kmsCalls] = [0, 0];
  const endInterception = cloud.intercept(async (call) => {
    if (!call.functionName) return undefined;
    if (call.service === 'sqs') queueRequests += requestsOfMessages(JSON.parse(call.requestBody));
    if (call.service === 'kms') kmsCalls += 1;
    if (call.service !== 'dynamodb') return undefined;
    const request = JSON.parse(call.requestBody);
    if (isLease(request.Key?.pk.S, request.ProjectionExpression)) return undefined;
    const startedAt = performance.now();
    const answer = await answerWithCapacity(cloud.dynamoEndpoint, call.operation, request);
    calls.push({ startedAt, endedAt: performance.now(), ...unitsOf(call.operation, JSON.parse(answer.body)) });
    return answer;
  });
  try {
    const result = await operation();
    return { result, cost: { ...costOfCalls(calls), queueRequests, kmsCalls } };
  } finally {
    endInterception();
  }
}

interface Sent {
  readonly MessageBody?: string;
  readonly Entries?: readonly { readonly MessageBody: string }[];
}

const BILLED_BYTES = 65_536;

/** Each begun 64 KB are a request when a message is sent, and when it is received. Its deletion is one. */
function requestsOfMessages({ MessageBody = '', Entries = [{ MessageBody }] }: Sent): number {
  const parts = Entries.map((entry) => Math.ceil(Buffer.byteLength(entry.MessageBody) / BILLED_BYTES));
  return parts.reduce((sum, count) => sum + 2 * count + 1, 0);
}

const emulator = new EmulatorClient();

/** Makes the call for the function, and also asks how many units the call takes, which the function does not. */
async function answerWithCapacity(endpoint: string, operation: string, request: object) {
  const content = Buffer.from(JSON.stringify({ ...request, ReturnConsumedCapacity: 'INDEXES' }));
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const { status, body } = await emulator.forward(endpoint, headers, content);
  return { status, body: body.toString() };
}

const QUIET_MILLISECONDS = 1_000;

/** Waits until functions have made no call for a while: one operation's work in workers must not count for the next. */
export async function untilQuiet(cloud: Cloud): Promise<void> {
  let lastCallAt = performance.now();
  const endObservation = cloud.observe(({ functionName }) => {
    if (functionName) lastCallAt = performance.now();
  });
  try {
    while (performance.now() - lastCallAt < QUIET_MILLISECONDS) await sleep(QUIET_MILLISECONDS / 10);
  } finally {
    endObservation();
  }
}
