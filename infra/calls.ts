import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/** What the functions call on AWS, as the build finds it in their code, in the words of the SDK and in those of IAM. */

/** Lies beside the bundles. */
export const CALLS_FILE = 'calls.json';

/** By the name of the function: commands of the SDK without their ending, and items of transactions. */
export type Calls = Readonly<Record<string, readonly string[]>>;

export function readCalls(bundles: string): Calls {
  const text = readFileSync(join(bundles, CALLS_FILE), 'utf8');
  return v.parse(v.record(v.string(), v.array(v.string())), JSON.parse(text));
}

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  BatchGet: ['dynamodb:BatchGetItem'],
  ConditionCheck: ['dynamodb:ConditionCheckItem'],
  Decrypt: ['kms:Decrypt'],
  Delete: ['dynamodb:DeleteItem'],
  Encrypt: ['kms:Encrypt'],
  Get: ['dynamodb:GetItem'],
  Put: ['dynamodb:PutItem'],
  Query: ['dynamodb:Query'],
  SendMessage: ['sqs:SendMessage'],
  SendMessageBatch: ['sqs:SendMessage'],
  /** A transaction needs nothing but the actions of its items. */
  TransactWrite: [],
  Update: ['dynamodb:UpdateItem'],
};

/** The actions whose items a role names by their kinds. A condition check is among them: it is part of a write. */
export const WRITE_ACTIONS: readonly string[] = [
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];

/**
 * The actions of IAM that the code of a function needs.
 *
 * @throws Error for a function that was not built, and for a call that has no action here yet
 */
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
