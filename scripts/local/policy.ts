import * as v from 'valibot';
import { wildcard } from './wildcard.ts';

/** IAM identity policies: what the role of a function allows, and which of its grants were ever used. */

const oneOrMore = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => (typeof value === 'string' ? [value] : value)),
);

/**
 * `NotAction` and `NotResource` are refused: nothing of ours should need them, and a wrong reading
 * would allow too much.
 */
export const policyDocument = v.object({
  Statement: v.array(
    v.strictObject({
      Sid: v.optional(v.string()),
      Effect: v.picklist(['Allow', 'Deny']),
      Action: oneOrMore,
      Resource: oneOrMore,
      Condition: v.optional(v.record(v.string(), v.record(v.string(), oneOrMore)), {}),
    }),
  ),
});

export type Statement = v.InferOutput<typeof policyDocument>['Statement'][number];

/** Values of the condition keys that a request has, for example `dynamodb:LeadingKeys`. */
export type ConditionValues = Readonly<Record<string, readonly string[]>>;

export interface Need {
  readonly action: string;
  readonly resource: string;
  readonly conditionValues?: ConditionValues;
}

export interface Grant {
  readonly action: string;
  readonly resource: string;
  /** True if the grant holds only under a condition. */
  readonly isConditional: boolean;
}

interface TrackedGrant extends Grant {
  readonly covers: (need: Need) => boolean;
  isUsed: boolean;
}

const ENFORCED_SERVICES = /^(dynamodb|kms|lambda|sqs):/;

export class RolePolicy {
  readonly #allowed: readonly TrackedGrant[];
  readonly #denied: readonly TrackedGrant[];

  constructor(statements: readonly Statement[]) {
    const grants = (effect: Statement['Effect']) =>
      statements.filter(({ Effect }) => Effect === effect).flatMap(grantsOf);
    // The narrowest grants come first: a call that a conditional grant covers does not count as a use
    // of a wider grant.
    this.#allowed = grants('Allow').sort((a, b) => Number(b.isConditional) - Number(a.isConditional));
    this.#denied = grants('Deny');
  }

  /** Says whether the policy allows the need, and remembers the grant that allows it. */
  allows(need: Need): boolean {
    if (this.#denied.some(({ covers }) => covers(need))) return false;
    const grant = this.#allowed.find(({ covers }) => covers(need));
    if (grant) grant.isUsed = true;
    return grant !== undefined;
  }

  /** Only of the services that the local cloud has. It cannot tell whether grants of other services are used. */
  unusedGrants(): Grant[] {
    return this.#allowed
      .filter(({ isUsed, action }) => !isUsed && ENFORCED_SERVICES.test(action))
      .map(({ action, resource, isConditional }) => ({ action, resource, isConditional }));
  }
}

function grantsOf({ Action, Resource, Condition }: Statement): TrackedGrant[] {
  const conditions = conditionsOf(Condition);
  return Action.flatMap((action) =>
    Resource.map((resource) => {
      const matchesAction = wildcard(action, 'i');
      const matchesResource = wildcard(resource);
      return {
        action,
        resource,
        isConditional: conditions.length > 0,
        isUsed: false,
        covers: (need) =>
          matchesAction.test(need.action) &&
          matchesResource.test(need.resource) &&
          conditions.every((holds) => holds(need.conditionValues ?? {})),
      };
    }),
  );
}

type Condition = (values: ConditionValues) => boolean;

function conditionsOf(block: Statement['Condition']): Condition[] {
  return Object.entries(block).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, patterns]) => conditionOf(operator, key, patterns)),
  );
}

/**
 * The operators that our policies use. Any other operator never holds. As on AWS, `ForAllValues` holds for a request
 * without the key, and the plain operators do not.
 */
function conditionOf(operator: string, key: string, patterns: readonly string[]): Condition {
  const wildcards = patterns.map((pattern) => wildcard(pattern));
  const matches = (value: string) =>
    operator.endsWith('StringLike') ? wildcards.some((test) => test.test(value)) : patterns.includes(value);
  switch (operator) {
    case 'StringEquals':
    case 'StringLike':
      return (values) => values[key]?.length === 1 && values[key].every(matches);
    case 'ForAllValues:StringEquals':
    case 'ForAllValues:StringLike':
      return (values) => (values[key] ?? []).every(matches);
    case 'ForAnyValue:StringEquals':
    case 'ForAnyValue:StringLike':
      return (values) => (values[key] ?? []).some(matches);
    default:
      return () => false;
  }
}
