import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/** The calls that the build finds in the code of functions, as actions of IAM. */

export const CALLS_FILE = 'calls.json';

/** By function: commands of the SDK without their ending, and items of transactions. */
export type Calls = Readonly<Record<string, readonly string[]>>;

export function readCalls(bundles: string): Calls {
  const text = readFileSync(join(bundles, CALLS_FILE), 'utf8');
  return v.parse(v.record(v.string(), v.array(v.string())), JSON.parse(text));
}

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  BatchGet: ['dynamodb:BatchGetItem'],
  BatchWrite: ['dynamodb:BatchWriteItem'],
  ConditionCheck: ['dynamodb:ConditionCheckItem'],
  Decrypt: ['kms:Decrypt'],
  Delete: ['dynamodb:DeleteItem'],
  Encrypt: ['kms:Encrypt'],
  Get: ['dynamodb:GetItem'],
  Put: ['dynamodb:PutItem'],
  Query: ['dynamodb:Query'],
  SendMessage: ['sqs:SendMessage'],
  SendMessageBatch: ['sqs:SendMessage'],
  TransactGet: ['dynamodb:GetItem'],
  /** Its items have actions of their own. */
  TransactWrite: [],
  Update: ['dynamodb:UpdateItem'],
};

/** Roles restrict these to kinds of items. */
export const WRITE_ACTIONS: readonly string[] = [
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];

/** @throws Error for a function that was not built, or a call without an action */
export function actionsOf(functionName: string, calls: Calls): string[] {
  const own = calls[functionName];
  if (!own) throw new Error(`The build knows no function ${functionName}.`);
  return [...new Set(own.flatMap(actionsOfCall))];
}

function actionsOfCall(call: string): readonly string[] {
  const actions = ACTIONS[call];
  if (!actions) throw new Error(`infra/calls.ts does not say which action of IAM "${call}" needs.`);
  return actions;
}
