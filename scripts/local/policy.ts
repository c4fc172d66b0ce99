import * as v from 'valibot';
import { wildcard } from './wildcard.ts';

/** IAM identity policies: what the role of a function allows. */

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

/** Denials, `NotAction` and `NotResource` are refused: no policy of ours needs them. */
export const policyDocument = v.object({
  Statement: v.array(
    v.strictObject({
      Sid: v.optional(v.string()),
      Effect: v.literal('Allow'),
      Action: oneOrMore,
      Resource: oneOrMore,
      Condition: v.optional(v.record(v.string(), v.record(v.string(), oneOrMore)), {}),
    }),
  ),
});

export type Statement = v.InferOutput<typeof policyDocument>['Statement'][number];

export type ConditionValues = Readonly<Record<string, readonly string[]>>;

export interface Need {
  readonly action: string;
  readonly resource: string;
  readonly conditionValues?: ConditionValues;
}

type Rule = (need: Need) => boolean;

export class RolePolicy {
  readonly #rules: readonly Rule[];

  constructor(statements: readonly Statement[]) {
    this.#rules = statements.map(ruleOf);
  }

  allows(need: Need): boolean {
    return this.#rules.some((covers) => covers(need));
  }
}

function ruleOf({ Action, Resource, Condition }: Statement): Rule {
  const actions = Action.map((action) => wildcard(action, 'i'));
  const resources = Resource.map((resource) => wildcard(resource));
  const conditions = conditionsOf(Condition);
  return ({ action, resource, conditionValues = {} }) =>
    actions.some((pattern) => pattern.test(action)) &&
    resources.some((pattern) => pattern.test(resource)) &&
    conditions.every((holds) => holds(conditionValues));
}

type Condition = (values: ConditionValues) => boolean;

function conditionsOf(block: Statement['Condition']): Condition[] {
  return Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, patterns]) => conditionOf(operator, key, patterns)),
  );
}

/** As on AWS, these operators but `Null` hold for a request without the key. All others never hold. */
function conditionOf(operator: string, key: string, patterns: readonly string[]): Condition {
  const wildcards = patterns.map((pattern) => wildcard(pattern));
  const matches: Readonly<Record<string, (value: string) => boolean>> = {
    'ForAllValues:StringEquals': (value) => patterns.includes(value),
    'ForAllValues:StringLike': (value) => wildcards.some((pattern) => pattern.test(value)),
  };
  if (operator === 'Null') return (values) => patterns.includes(String(values[key] === undefined));
  const isMatch = matches[operator];
  return (values) => isMatch !== undefined && (values[key] ?? []).every(isMatch);
}
