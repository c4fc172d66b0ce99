import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { asError } from '#shared/runtime/error.ts';
import { logger } from '#shared/runtime/logger.ts';
import { metrics } from '#shared/runtime/metrics.ts';

/** For the report of the failed messages. */
const MARGIN_MILLISECONDS = 1_000;

/** The time of the function, for this message and those behind it. */
type RemainingTime = () => number;

type Handle<Message> = (message: Message, remainingMilliseconds: RemainingTime) => Promise<void>;

export type QueueHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>;

/** If a message fails, all behind it fail too: a FIFO queue must not deliver later messages first. */
export function consume<const Schema extends v.GenericSchema>(
  schema: Schema,
  handle: Handle<v.InferOutput<Schema>>,
): QueueHandler {
  return async ({ Records }, context) => {
    for (const [position, record] of Records.entries()) {
      const isDone = await withDeadline(context.getRemainingTimeInMillis() - MARGIN_MILLISECONDS, () =>
        attempt(record, async () => handle(parse(schema, record), () => context.getRemainingTimeInMillis())),
      );
      if (!isDone) return failuresOf(Records.slice(position));
    }
    return failuresOf([]);
  };
}

function failuresOf(records: readonly SQSRecord[]): SQSBatchResponse {
  return { batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Logs no content. */
async function attempt(record: SQSRecord, run: () => Promise<void>): Promise<boolean> {
  const startedAt = Date.now();
  const failure = await run().then(() => undefined, asError);
  const durationMilliseconds = Date.now() - startedAt;
  const queue = record.eventSourceARN.split(':').at(-1) ?? '';
  const line = {
    queue,
    messageId: record.messageId,
    group: record.attributes.MessageGroupId,
    receives: Number(record.attributes.ApproximateReceiveCount),
    durationMilliseconds,
  };
  if (failure) logger.error('message failed', { ...line, error: failure });
  else logger.info('message', line);
  metrics.message(queue, !failure, durationMilliseconds);
  return !failure;
}

/** @throws Error that names the wrong members, never their values */
function parse<const Schema extends v.GenericSchema>(schema: Schema, { body }: SQSRecord): v.InferOutput<Schema> {
  const result = v.safeParse(schema, asJson(body));
  if (result.success) return result.output;
  throw new Error(`The message is malformed at: ${result.issues.map((issue) => v.getDotPath(issue)).join(', ')}`);
}

function asJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('The message is not JSON.');
  }
}
