import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, ObservedCall } from '#scripts/local/aws-endpoint.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { EmulatorClient } from '#scripts/local/emulator-client.ts';
import { apiKeyKey } from '#shared/data/layout/keys.ts';
import { roundTripsOf } from './round-trips.ts';

/**
 * Measures how functions use AWS while they answer real requests: every call at the AWS endpoint, with the units that
 * DynamoDB says it took. Units are counted, not timed: the same data give the same units.
 */

export interface MeteredCall extends ObservedCall {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** True for a lease of rate-limit tokens. Many requests share a lease. */
  readonly isLease: boolean;
}

/**
 * Runs an operation and meters all calls that functions make meanwhile. Roles are not enforced during the operation.
 *
 * @param heldUp the function whose calls take a moment longer: that shows which of its calls wait for others
 */
export async function metered(
  cloud: Cloud,
  operation: () => Promise<unknown>,
  heldUp?: string,
  holdUpMilliseconds: number = HOLD_UP_MILLISECONDS,
): Promise<MeteredCall[]> {
  const calls: MeteredCall[] = [];
  const endInterception = cloud.intercept(async (call) => {
    if (heldUp && isOf(call, heldUp)) await sleep(holdUpMilliseconds);
    return withCapacity(cloud.dynamoEndpoint, call);
  });
  const endObservation = cloud.observe((call) => {
    if (call.functionName) calls.push(meteredCall(call));
  });
  try {
    await operation();
  } finally {
    endObservation();
    endInterception();
  }
  return calls;
}

/**
 * Waits until functions have made no call for a while. What one operation leaves to workers must not
 * slow down the next.
 */
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

const QUIET_MILLISECONDS = 1_000;

/** Longer than even a crowded machine takes to send dozens of calls. */
const HOLD_UP_MILLISECONDS = 300;

/** @param functionName as in the tables, without the prefix of the deployment */
export function callsOf(calls: readonly MeteredCall[], functionName: string): MeteredCall[] {
  return calls.filter((call) => isOf(call, functionName));
}

function isOf(call: Pick<Call, 'functionName'>, functionName: string): boolean {
  return call.functionName?.endsWith(`-${functionName}`) ?? false;
}

const emulator = new EmulatorClient();

/** Makes the call for the function, and also asks how many units the call takes, which the function does not. */
async function withCapacity(endpoint: string, { service, operation, requestBody }: Call) {
  if (service !== 'dynamodb') return undefined;
  const request = JSON.stringify({ ...JSON.parse(requestBody), ReturnConsumedCapacity: 'INDEXES' });
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const { status, body } = await emulator.forward(endpoint, headers, Buffer.from(request));
  return { status, body: body.toString() };
}

const READS = /^(?:Get|Query|BatchGet|Scan|TransactGet)/;

const KEY_PREFIX = apiKeyKey('').pk;

function meteredCall(call: ObservedCall): MeteredCall {
  if (call.service !== 'dynamodb') return { ...call, readUnits: 0, writeUnits: 0, isLease: false };
  const units = unitsOf(JSON.parse(call.responseBody));
  const isRead = READS.test(call.operation);
  const partition = String(JSON.parse(call.requestBody).Key?.pk?.S);
  const isLease = !isRead && partition.startsWith(KEY_PREFIX);
  return { ...call, readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units, isLease };
}

interface Consumed {
  readonly CapacityUnits?: number;
}

function unitsOf({ ConsumedCapacity = [] }: { readonly ConsumedCapacity?: Consumed | readonly Consumed[] }): number {
  const parts: Consumed[] = [ConsumedCapacity].flat();
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/** What calls come to, without those that lease tokens. */
export interface OperationCost {
  readonly databaseCalls: number;
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueCalls: number;
  readonly kmsCalls: number;
}

export function costOf(calls: readonly MeteredCall[]): OperationCost {
  const database = calls.filter(({ service, isLease }) => service === 'dynamodb' && !isLease);
  const countOf = (service: MeteredCall['service']) => calls.filter((call) => call.service === service).length;
  return {
    databaseCalls: database.length,
    roundTrips: roundTripsOf(database),
    readUnits: database.reduce((sum, { readUnits }) => sum + readUnits, 0),
    writeUnits: database.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    queueCalls: countOf('sqs'),
    kmsCalls: countOf('kms'),
  };
}
