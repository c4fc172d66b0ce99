import type { Call, Interception, Interceptor } from '#scripts/local/aws-endpoint.ts';
import type { Service } from '#scripts/local/aws-request.ts';
import { Dice } from './dice.ts';

interface FaultRule {
  readonly name: string;
  /** A share of the calls, from 0 to 1. */
  readonly share: number;
  /** Undefined where the fault does not fit the call: then the next rule takes its place. */
  readonly make: (call: Call, dice: Dice) => Interception;
}

/**
 * Lets faults into the calls of functions to AWS: what DynamoDB, SQS and KMS do on a bad day, and what the network does.
 *
 * @param share of the calls, from 0 to 1
 * @param seed of the draws; which call a draw meets depends on how the calls of a run interleave
 */
export function faultInjector(share: number, seed: number) {
  const rules = everyFault(share);
  const dice = new Dice(seed);
  const struck = new Map<string, number>();
  /**
   * Tokens of transactions whose answer was lost, which are done, or will be. DynamoDB says so, or that they are in
   * progress, but never that they were cancelled for a conflict.
   */
  const open = new Set<string>();
  let calls = 0;
  const draw = (call: Call): Interception => {
    const token = tokenIn(call);
    let lot = dice.share();
    for (const { name, share, make } of rules) {
      lot -= share;
      if (lot >= 0) continue;
      const interception = open.has(token) && make === conflict ? undefined : make(call, dice);
      if (!interception) continue;
      struck.set(name, (struck.get(name) ?? 0) + 1);
      if (token && (interception === 'dropAnswer' || isDelay(interception))) open.add(token);
      return interception;
    }
    return undefined;
  };
  const interceptor: Interceptor = (call) => {
    if (call.functionName === undefined) return undefined;
    calls += 1;
    return draw(call);
  };
  return {
    interceptor,
    /** Calls of functions, those that met a fault included. */
    calls: () => calls,
    /** How often each kind of fault has struck. */
    faults: () => Object.fromEntries([...struck].sort()),
  };
}

function tokenIn({ requestBody }: Call): string {
  return /"ClientRequestToken":"([^"]+)"/.exec(requestBody)?.[1] ?? '';
}

function isDelay(interception: Interception): boolean {
  return typeof interception === 'object' && 'delayMilliseconds' in interception;
}

/** Every kind of fault, so that a call meets one with this probability. */
function everyFault(share: number): FaultRule[] {
  const of = (percent: number) => (share * percent) / 100;
  return [
    { name: 'throttle', share: of(25), make: ({ service }) => failure(400, THROTTLES[service]) },
    { name: 'fail', share: of(20), make: ({ service }) => failure(500, FAILURES[service]) },
    { name: 'conflict', share: of(20), make: conflict },
    { name: 'delay', share: of(14), make: (_, dice) => ({ delayMilliseconds: 10 + dice.below(190) }) },
    { name: 'drop', share: of(10), make: () => 'drop' },
    { name: 'dropAnswer', share: of(10), make: () => 'dropAnswer' },
    // Longer than the SDK waits, so that the call takes effect behind its own repetition.
    { name: 'late', share: of(1), make: () => ({ delayMilliseconds: 3_000 }) },
  ];
}

const THROTTLES: Readonly<Record<Service, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  sqs: 'com.amazonaws.sqs#RequestThrottled',
  kms: 'com.amazonaws.kms#ThrottlingException',
  lambda: 'TooManyRequestsException',
};

const FAILURES: Readonly<Record<Service, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
  sqs: 'com.amazonaws.sqs#InternalFailure',
  kms: 'com.amazonaws.kms#KMSInternalException',
  lambda: 'ServiceException',
};

function failure(status: number, type: string, more: object = {}): Interception {
  return { status, body: JSON.stringify({ __type: type, message: 'Made for a test.', ...more }) };
}

const DYNAMODB = 'com.amazonaws.dynamodb.v20120810#';

/**
 * Another transaction has one of the items: a transaction is cancelled, a single write is refused, reads do not notice.
 */
function conflict({ operation, requestBody }: Call, dice: Dice): Interception {
  if (/^(?:Put|Update|Delete)Item$/.test(operation)) return failure(400, `${DYNAMODB}TransactionConflictException`);
  if (operation !== 'TransactWriteItems') return undefined;
  const { TransactItems } = JSON.parse(requestBody) as { TransactItems: readonly unknown[] };
  const position = dice.below(TransactItems.length);
  const CancellationReasons = TransactItems.map((_, i) => ({ Code: i === position ? 'TransactionConflict' : 'None' }));
  return failure(400, `${DYNAMODB}TransactionCanceledException`, {
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${CancellationReasons.map(({ Code }) => Code).join(', ')}]`,
    CancellationReasons,
  });
}
