import type { Call, Interception, Interceptor } from '#scripts/local/aws-endpoint.ts';
import type { Service } from '#scripts/local/aws-request.ts';
import { Dice } from './dice.ts';

/**
 * Lets faults into the calls of functions to AWS by rules: what DynamoDB, SQS and KMS do on a bad day, and what the
 * network does.
 */
export interface FaultRule {
  readonly name: string;
  readonly services: readonly Service[];
  /** A share of the calls to these services, from 0 to 1. */
  readonly share: number;
  /** Undefined where the fault does not fit the call: then the next rule takes its place. */
  readonly make: (call: Call, dice: Dice) => Interception;
}

export interface FaultInjector {
  readonly interceptor: Interceptor;
  /** Calls of functions, those that met a fault included. */
  readonly calls: () => number;
  /** How often each rule has struck. */
  readonly faults: () => Readonly<Record<string, number>>;
}

/** @param seed of the draws; which call a draw meets depends on how the calls of a run interleave */
export function faultInjector(rules: readonly FaultRule[], seed: number): FaultInjector {
  const dice = new Dice(seed);
  const struck = new Map<string, number>();
  const open = new OpenTransactions();
  let calls = 0;
  const draw = (call: Call): Interception => {
    let lot = dice.share();
    for (const rule of rules.filter(({ services }) => services.includes(call.service))) {
      lot -= rule.share;
      if (lot >= 0) continue;
      const interception = open.isOpen(call) && rule.name === CONFLICT ? undefined : rule.make(call, dice);
      if (!interception) continue;
      struck.set(rule.name, (struck.get(rule.name) ?? 0) + 1);
      open.note(call, interception);
      return interception;
    }
    return undefined;
  };
  return {
    interceptor: (call) => {
      if (call.functionName === undefined) return undefined;
      calls += 1;
      return draw(call);
    },
    calls: () => calls,
    faults: () => Object.fromEntries([...struck].sort()),
  };
}

/**
 * A transaction whose answer was lost is done, or will be: under its token DynamoDB says so, or that it is in progress, but never that it was
 * cancelled for a conflict.
 */
class OpenTransactions {
  readonly #tokens = new Set<string>();

  note({ requestBody }: Call, interception: Interception): void {
    const token = tokenIn(requestBody);
    if (token && (interception === 'dropAnswer' || isDelay(interception))) this.#tokens.add(token);
  }

  isOpen({ requestBody }: Call): boolean {
    return this.#tokens.has(tokenIn(requestBody) ?? '');
  }
}

function tokenIn(requestBody: string): string | undefined {
  return /"ClientRequestToken":"([^"]+)"/.exec(requestBody)?.[1];
}

function isDelay(interception: Interception): boolean {
  return typeof interception === 'object' && 'delayMilliseconds' in interception;
}

const ALL: readonly Service[] = ['dynamodb', 'sqs', 'kms'];

const CONFLICT = 'conflict';

/** Every kind of fault, so that a call meets one with this probability. */
export function everyFault(share: number): FaultRule[] {
  const of = (percent: number) => (share * percent) / 100;
  return [
    { name: 'throttle', services: ALL, share: of(25), make: ({ service }) => failure(400, THROTTLES[service]) },
    { name: 'fail', services: ALL, share: of(20), make: ({ service }) => failure(500, FAILURES[service]) },
    { name: CONFLICT, services: ALL, share: of(20), make: conflict },
    { name: 'delay', services: ALL, share: of(14), make: (_, dice) => ({ delayMilliseconds: 10 + dice.below(190) }) },
    { name: 'drop', services: ALL, share: of(10), make: () => 'drop' },
    { name: 'dropAnswer', services: ALL, share: of(10), make: () => 'dropAnswer' },
    // Longer than the SDK waits, so that the call takes effect behind its own repetition.
    { name: 'late', services: ALL, share: of(1), make: () => ({ delayMilliseconds: 3_000 }) },
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
