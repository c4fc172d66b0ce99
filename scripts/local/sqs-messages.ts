import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { messageAttributes, type Receive } from './sqs-requests.ts';
import type { ReceivedMessage } from './sqs-store.ts';

/** Messages as SQS hands them out. */

export function receivedMessage(each: ReceivedMessage, request: Receive): object {
  const wanted = new Set([...request.AttributeNames, ...request.MessageSystemAttributeNames]);
  const system = Object.entries(systemAttributes(each)).filter(([name]) => wanted.has('All') || wanted.has(name));
  const attributes = Object.entries(v.parse(messageAttributes, JSON.parse(each.attributes))).filter(([name]) =>
    isWanted(name, request.MessageAttributeNames),
  );
  return {
    MessageId: each.id,
    ReceiptHandle: each.receipt,
    Body: each.body,
    MD5OfBody: md5(each.body),
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    ...(attributes.length > 0 && { MessageAttributes: Object.fromEntries(attributes) }),
  };
}

/** A name, a prefix (`thing.*`), or all. */
function isWanted(name: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === 'All' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))),
  );
}

function systemAttributes(each: ReceivedMessage): Record<string, string> {
  return {
    SentTimestamp: String(each.sentAt),
    ApproximateReceiveCount: String(each.receiveCount),
    ApproximateFirstReceiveTimestamp: String(each.firstReceivedAt),
    ...(each.groupId !== null && { MessageGroupId: each.groupId }),
    ...(each.deduplicationId !== null && {
      MessageDeduplicationId: each.deduplicationId,
      SequenceNumber: sequenceNumber(each.sequence),
    }),
    ...(each.sourceArn !== null && { DeadLetterQueueSourceArn: each.sourceArn }),
  };
}

export function sequenceNumber(sequence: number): string {
  return String(sequence).padStart(20, '0');
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
