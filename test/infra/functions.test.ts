import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { accessOf, queuesSentTo } from '#infra/access.ts';
import { actionsOf, WRITE_ACTIONS } from '#infra/calls.ts';
import { type FunctionDefinition, functionsOf } from '#infra/functions.ts';
import type { ItemKind } from '#infra/item-kinds.ts';
import type { FunctionPlan } from '#scripts/local/plans/functions.ts';
import { RolePolicy } from '#scripts/local/policy.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { bothServices } from './sample.ts';
import type { Stacks } from './stacks.ts';

const isOfSecrets = (action: string) => action.startsWith('kms:');

/** What the code of some function calls, and what that of none does. */
const ACTIONS = [
  ...WRITE_ACTIONS,
  ...['BatchGetItem', 'DeleteTable', 'GetItem', 'Query', 'Scan'].map((action) => `dynamodb:${action}`),
  'kms:Decrypt',
  'kms:Encrypt',
];

describe.each(await bothServices())('functions of %s', (_, stacks) => {
  const definitions = functionsOf(stacks.tables).map((definition) => [definition.name, definition] as const);

  it.each(definitions)(
    '%s may do what its code calls, on the indexes and queues of its row, and no more',
    (_name, definition) => {
      const { allows, table, key, queues } = roleOf(stacks, definition);
      const { writes = [], indexes = [], ofWebhooks = false } = accessOf(definition.name, stacks.tables.access);
      const sends = queuesSentTo(definition, stacks.tables.access);
      const [kind] = writes;
      const itemOf = (action: string) => (WRITE_ACTIONS.includes(action) && kind ? SAMPLES[kind][0] : of('#WHATEVER'));
      const allowed = ACTIONS.filter((action) =>
        isOfSecrets(action) ? allows(action, key, '', '', ofWebhooks) : allows(action, table, itemOf(action)),
      );
      expect(ACTIONS.filter((action) => isOfSecrets(action) && allows(action, key, '', '', !ofWebhooks))).toEqual([]);
      const called = actionsOf(definition.name, stacks.calls).filter((action) => action !== 'sqs:SendMessage');
      const keeping = definition.keepsAnswers && kind ? ['dynamodb:UpdateItem'] : [];
      const recording = definition.leavesEvents && kind ? ['dynamodb:PutItem'] : [];
      expect(new Set(allowed)).toEqual(new Set([...called, ...keeping, ...recording]));
      const queried = tableDefinition.indexes.filter(({ name }) => allows('dynamodb:Query', `${table}/index/${name}`));
      expect(queried.map(({ name }) => name).toSorted()).toEqual(indexes.toSorted());
      const fed = queues.filter(({ arn }) => allows('sqs:SendMessage', arn));
      expect(fed.map(({ name }) => name).toSorted()).toEqual(sends.map((name) => `billwright-${name}.fifo`).toSorted());
    },
  );

  it.each(definitions)('%s writes only the kinds of items that its contract names', (_name, definition) => {
    const allowed = writablePartitions(stacks, definition);
    const kinds = Object.entries(SAMPLES).filter(([, keys]) => keys.some((key) => allowed(key)));
    const { writes = [] } = accessOf(definition.name, stacks.tables.access);
    const written = [...implied(writes), ...(definition.leavesEvents ? ['outbox'] : [])];
    expect(kinds.map(([kind]) => kind).toSorted()).toEqual([...new Set(written)].toSorted());
    for (const kind of writes) expect(SAMPLES[kind].every(allowed)).toBe(true);
  });

  it.each(definitions)('%s has a role within the size that IAM takes', (_name, definition) => {
    // Characters of all inline policies of a role, without white space.
    expect(JSON.stringify(planOf(stacks, definition).statements).length).toBeLessThan(10_240);
  });

  it.each(definitions)('%s has no wildcard but the streams of its own log group', (_name, definition) => {
    const { statements, name } = planOf(stacks, definition);
    const wildcards = statements
      .flatMap(({ Action, Resource }) => [...Action, ...Resource])
      .filter((text) => text.includes('*'));
    expect(wildcards).toEqual([expect.stringMatching(new RegExp(`:log-group:/aws/lambda/${name}:\\*$`))]);
  });

  it.each(definitions)('%s has the memory, the time and the concurrency of its contract', (_name, definition) => {
    const { memoryMegabytes, timeoutSeconds, ownConcurrency: reservedConcurrency } = definition;
    expect(planOf(stacks, definition)).toMatchObject({ memoryMegabytes, timeoutSeconds, reservedConcurrency });
  });

  it('are no others, and have no role with a managed policy', () => {
    const ownPoliciesOnly = v.object({ ManagedPolicyArns: v.optional(v.never()) });
    expect(stacks.ofType('AWS::IAM::Role', ownPoliciesOnly)).toHaveLength(definitions.length);
    expect(stacks.ofType('AWS::IAM::Policy', v.unknown())).toEqual([]);
  });
});

function planOf(stacks: Stacks, { name }: FunctionDefinition): FunctionPlan {
  const plan = stacks.blueprint.functions.find((candidate) => candidate.name === `billwright-${name}`);
  if (!plan) throw new Error(`There is no function ${name}.`);
  return plan;
}

const ORGANIZATION = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61';
const ID = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a62';
const PERSON = `PERSON#${'0a'.repeat(32)}`;
const of = (rest: string) => `ORG#${ORGANIZATION}${rest}`;

/** Partition keys as they lie in the table, spelled once more. */
const SAMPLES: Readonly<Record<ItemKind, readonly string[]>> = {
  anyOfOrganization: [of('#WHATEVER')],
  apiKey: [`KEY#${'0a'.repeat(32)}`, `KEYID#${ID}`, of('#APIKEY'), of('#ROSTER')],
  client: [of('#CLIENT')],
  count: [of('#COUNT')],
  creditNote: [of('#CREDIT_NOTE'), of(`#CREDIT_NOTE#${ID}`)],
  deleted: [of('#DELETED')],
  directory: [of('#DIRECTORY')],
  entry: [of(`#ENTRY#${ID}`), of('#DAY#2026-11-02')],
  externalId: [of('#EXTERNAL_ID')],
  feed: [of('#EVENT'), of('#FEED')],
  hold: [of(`#HOLD#${ID}`), of('#BILLING')],
  importJob: [of('#IMPORT_JOB'), of(`#IMPORT_JOB#${ID}`), of('#HELD_BACK')],
  invoice: [of('#INVOICE'), of(`#INVOICE#${ID}`)],
  ledger: [of('#CALENDAR'), of('#LEDGER'), of('#LEDGER_YEAR')],
  lock: [of('#LOCK')],
  logo: [of('#LOGO')],
  number: [of('#NUMBER')],
  organization: [of('')],
  organizationListing: ['ORGANIZATIONS', 'ORGANIZATIONS#COUNT'],
  organizationName: ['ORGANIZATION_NAMES'],
  outbox: [of('#OUTBOX')],
  payment: [of(`#INVOICE#${ID}#PAYMENT`)],
  person: [PERSON, of('#LINK'), `KEY#${ORGANIZATION}:${ID}`, `KEY#${PERSON}`],
  product: [of('#PRODUCT'), of('#PRODUCT_NAME#ALL'), of('#PRODUCT_NAME#ACTIVE'), of('#PRODUCT_TEXT')],
  project: [of('#PROJECT'), of('#NAME')],
  provider: ['PROVIDER'],
  remoteName: [of('#REMOTE_NAME')],
  timer: [of(`#USER#${ID}`), of(`#USER#${ID}#SESSION`)],
  user: [of('#USERNAME'), of('#USER'), `EMAIL#${'0a'.repeat(32)}`, `INVITATION#${'0a'.repeat(32)}`],
  webhook: [of('#WEBHOOK')],
};

/** A function that writes whatever an organization has writes items of most kinds. Buckets of people lie among the keys. */
function implied(kinds: readonly ItemKind[]): string[] {
  if (!kinds.includes('anyOfOrganization')) return kinds.includes('apiKey') ? [...kinds, 'person'] : [...kinds];
  const ofOrganization = Object.entries(SAMPLES).filter(([, keys]) => keys.some((key) => key.startsWith('ORG#')));
  return [...new Set([...kinds, ...ofOrganization.map(([kind]) => kind)])];
}

function roleOf(stacks: Stacks, definition: FunctionDefinition) {
  const policy = new RolePolicy(planOf(stacks, definition).statements);
  const { tables, keys, queues } = stacks.blueprint;
  return {
    table: tables[0]?.arn ?? '',
    key: keys[0]?.arn ?? '',
    queues,
    allows: (action: string, resource: string, key = of('#WHATEVER'), attribute = 'scopes', isOfWebhook = false) =>
      policy.allows({
        action,
        resource,
        conditionValues: {
          'dynamodb:LeadingKeys': [key],
          'dynamodb:Attributes': [attribute],
          ...(isOfWebhook && { 'kms:EncryptionContext:webhookId': [ID] }),
        },
      }),
  };
}

/** What says who may do what: leases of tokens and links of people reach none of it. */
const ATTRIBUTES = ['role', 'scopes', 'status'];

/** Says whether a function may write to an item with this partition key, other than to lease tokens of it. */
function writablePartitions(stacks: Stacks, definition: FunctionDefinition): (key: string) => boolean {
  const { allows, table } = roleOf(stacks, definition);
  const writing = WRITE_ACTIONS.filter((action) => action !== 'dynamodb:ConditionCheckItem');
  return (key) => writing.some((action) => ATTRIBUTES.some((attribute) => allows(action, table, key, attribute)));
}
