import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { Resolver } from './local/resolve.ts';
import type { Assembly, Resource, Stack } from './local/template.ts';

/**
 * A model of CloudFormation, of what it would refuse and of what it would do at the cost of data. Each function compares
 * the deployed release with the next, and returns a line for each fault, with what to do instead.
 *
 * A deployment creates and changes everything, of all stacks at once, before it deletes anything. So nothing can take a
 * name that something else has in the release before. The model is stricter than CDK, which deploys one stack after
 * another.
 */

/** Properties that must differ between all resources of a type. CloudFormation itself names those of other types. */
export const UNIQUE_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::ApiMapping': ['ApiMappingKey', 'DomainName'],
  'AWS::ApiGatewayV2::DomainName': ['DomainName'],
  'AWS::ApiGatewayV2::Route': ['ApiId', 'RouteKey'],
  'AWS::ApiGatewayV2::Stage': ['ApiId', 'StageName'],
  'AWS::Backup::BackupVault': ['BackupVaultName'],
  'AWS::CloudWatch::Alarm': ['AlarmName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::DynamoDB::GlobalTable': ['TableName'],
  'AWS::Events::Rule': ['Name'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::KMS::Alias': ['AliasName'],
  'AWS::Lambda::EventInvokeConfig': ['FunctionName', 'Qualifier'],
  'AWS::Lambda::EventSourceMapping': ['EventSourceArn', 'FunctionName'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::SQS::Queue': ['QueueName'],
};

interface Holder {
  /** Stays the same where CloudFormation changes the resource in place. */
  readonly place: string;
  readonly name: string;
}

/** Names that the next release takes from something which still has them. */
export function collisions(deployed: Assembly, next: Assembly): string[] {
  const held = new Map<string, string>();
  for (const { name, place } of holdersIn(deployed)) held.set(name, place);
  const taken = new Map<string, string>();
  return holdersIn(next).flatMap(({ name, place }) => {
    const other = taken.get(name);
    taken.set(name, place);
    if (other !== undefined) return [`${place} and ${other} would both be ${name}.`];
    const holder = held.get(name);
    if (holder === undefined || holder === place) return [];
    return [`${place} cannot become ${name} while ${holder} is: deploy without both, and then what is new.`];
  });
}

const STORES = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key'];

/** Tables and keys that a stack which is there would make anew, and empty. */
export function newStores(deployed: Assembly, next: Assembly): string[] {
  const idsOf = ({ template }: Stack) => Object.keys(template.Resources);
  const before = new Map(deployed.stacks.map((stack) => [stack.name, idsOf(stack)]));
  return next.resources
    .filter(
      ({ type, stack, logicalId }) => STORES.includes(type) && before.get(stack.name)?.includes(logicalId) === false,
    )
    .map(
      ({ stack, logicalId }) =>
        `${stack.name}/${logicalId} would be new and empty: import the restored one first (infra/RUNBOOK.md, "Restore").`,
    );
}

/** Properties whose change makes CloudFormation put a new and empty resource in the place of the old one. */
const REPLACING_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['KeySchema', 'LocalSecondaryIndexes', 'TableName'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
};

/** Tables and keys that would be replaced. */
export function replacedStores(deployed: Assembly, next: Assembly): string[] {
  return changedOf(STORES, deployed, next).flatMap(({ place, type, before, after }) => {
    const changed = REPLACING_PROPERTIES[type]?.filter((name) => !isDeepStrictEqual(before[name], after[name])) ?? [];
    return changed.map(
      (name) => `${place} would be replaced by a new and empty one, since ${name} changes: leave it as it is.`,
    );
  });
}

/** Changes that CloudFormation refuses: of what a resource is. */
export function changedTypes(deployed: Assembly, next: Assembly): string[] {
  const before = new Map(deployed.resources.map((resource) => [placeOf(resource), resource.type]));
  return next.resources.flatMap((resource) => {
    const place = placeOf(resource);
    const former = before.get(place) ?? resource.type;
    if (former === resource.type) return [];
    return [
      `${place} cannot become ${resource.type}, since it is ${former}: give what is new another name in its stack.`,
    ];
  });
}

/** Each gets an address from AWS when it is made. */
const ADDRESSED = ['AWS::ApiGatewayV2::Api', 'AWS::CloudFront::Distribution'];

/** What callers, or their DNS, would reach no more, since another one takes its place. */
export function lostAddresses(deployed: Assembly, next: Assembly): string[] {
  return deployed.resources
    .filter(({ type }) => ADDRESSED.includes(type))
    .filter((resource) => {
      const places = next.resources.filter(({ type }) => type === resource.type).map(placeOf);
      return places.length > 0 && !places.includes(placeOf(resource));
    })
    .map(
      (resource) =>
        `${placeOf(resource)} would go with its address, and another one be made: leave its name in the stack as it is.`,
    );
}

const SQS_QUEUE = 'AWS::SQS::Queue';

/**
 * Queues that would go with the messages in them, because they are removed or get another name.
 *
 * @param drained names of those that are empty, which may go
 */
export function lostQueues(deployed: Assembly, next: Assembly, drained: readonly string[] = []): string[] {
  const kept = new Set(queuesIn(next).map(identityOf));
  return queuesIn(deployed)
    .filter((queue) => !kept.has(identityOf(queue)) && !drained.includes(queue.name))
    .map(
      ({ place, name }) =>
        `${place} would go with the messages in it: when nothing sends to ${name} and it is empty, deploy with --drained ${name}.`,
    );
}

const identityOf = ({ place, name }: Holder) => `${place} ${name}`;

function queuesIn(assembly: Assembly): Holder[] {
  const resolver = new Resolver(assembly);
  return assembly.resources
    .filter(({ type }) => type === SQS_QUEUE)
    .map((queue) => ({
      place: placeOf(queue),
      name: String(resolver.resolve(queue.properties.QueueName ?? placeOf(queue), queue.stack)),
    }));
}

const index = v.object({ IndexName: v.string(), KeySchema: v.unknown(), Projection: v.unknown() });

const attribute = v.object({ AttributeName: v.string(), AttributeType: v.string() });

const tableProperties = v.object({
  AttributeDefinitions: v.optional(v.array(attribute), []),
  GlobalSecondaryIndexes: v.optional(v.array(index), []),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.optional(v.string()), Enabled: v.boolean() })),
});

/**
 * Changes that DynamoDB refuses: of an index, of several indexes at once, of the type of a key, and of the attribute of
 * the time to live.
 */
export function refusedTableChanges(deployed: Assembly, next: Assembly): string[] {
  return changedOf(['AWS::DynamoDB::GlobalTable'], deployed, next).flatMap((table) => {
    const [before, after] = [table.before, table.after].map((properties) => v.parse(tableProperties, properties));
    if (!before || !after) return [];
    return [
      ...refusedIndexes(table.place, before.GlobalSecondaryIndexes, after.GlobalSecondaryIndexes),
      ...refusedTypes(table.place, before.AttributeDefinitions, after.AttributeDefinitions),
      ...refusedTimeToLive(table.place, before.TimeToLiveSpecification, after.TimeToLiveSpecification),
    ];
  });
}

type Indexes = readonly v.InferOutput<typeof index>[];

function refusedIndexes(place: string, before: Indexes, after: Indexes): string[] {
  const found = (indexes: Indexes, name: string) => indexes.find(({ IndexName }) => IndexName === name);
  const names = [...new Set([...before, ...after].map(({ IndexName }) => IndexName))];
  const comingOrGoing = names.filter((name) => !found(before, name) || !found(after, name));
  const changed = names
    .filter((name) => !comingOrGoing.includes(name))
    .filter((name) => !isDeepStrictEqual(found(before, name), found(after, name)));
  return [
    ...(comingOrGoing.length > 1
      ? [`${place} takes one index more or less at a time: deploy ${comingOrGoing.join(' and ')} one after the other.`]
      : []),
    ...changed.map(
      (name) =>
        `${place} cannot change its index ${name}: add one of another name, then remove ${name} when nothing reads it.`,
    ),
  ];
}

type Attributes = readonly v.InferOutput<typeof attribute>[];

function refusedTypes(place: string, before: Attributes, after: Attributes): string[] {
  const typesBefore = new Map(before.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  return after
    .filter(({ AttributeName, AttributeType }) => (typesBefore.get(AttributeName) ?? AttributeType) !== AttributeType)
    .map(
      ({ AttributeName }) =>
        `${place} cannot change the type of ${AttributeName}: put the other values into another one.`,
    );
}

type TimeToLive = v.InferOutput<typeof tableProperties>['TimeToLiveSpecification'];

function refusedTimeToLive(place: string, before: TimeToLive, after: TimeToLive): string[] {
  if (!before?.Enabled || !after?.Enabled || before.AttributeName === after.AttributeName) return [];
  return [
    `${place} cannot change the attribute of its time to live at once: deploy without a time to live, and an hour later with ${after.AttributeName}.`,
  ];
}

/** What CloudFormation takes of a template. */
const LIMITS: readonly (readonly [string, number, (stack: Stack) => number])[] = [
  ['bytes', 1_000_000, ({ bytes = 0 }) => bytes],
  ['resources', 500, ({ template }) => Object.keys(template.Resources).length],
  ['parameters', 200, ({ template }) => Object.keys(template.Parameters).length],
  ['outputs', 200, ({ template }) => Object.keys(template.Outputs).length],
];

/** @param share of the limits: below one, to leave room for what is added later */
export function oversizedTemplates(_: Assembly, next: Assembly, share = 1): string[] {
  return next.stacks.flatMap((stack) =>
    LIMITS.map(([what, limit, sizeOf]) => [what, limit * share, sizeOf(stack)] as const)
      .filter(([, limit, size]) => size > limit)
      .map(([what, limit, size]) => `${stack.name} has ${size} ${what} of ${limit}: divide it (infra/stacks/).`),
  );
}

/**
 * Requests that functions would refuse, since CloudFront does not send a secret that they accept. Both are deployed side
 * by side, so that the functions of each release must accept what CloudFront sends in the other.
 */
export function firewallGaps(deployed: Assembly, next: Assembly): string[] {
  const [before, after] = [deployed, next].map(firewallOf);
  if (!before || !after || deployed.resources.length === 0) return [];
  const isRefused = (sent: string | undefined, accepted: string | undefined) =>
    accepted !== undefined && !accepted.split(' ').includes(sent ?? '');
  if (!isRefused(before.sent, after.accepted) && !isRefused(after.sent, before.accepted)) return [];
  return [
    'Functions would refuse what CloudFront sends until both are deployed: change one thing at a time (infra/RUNBOOK.md, "A firewall").',
  ];
}

const distribution = v.object({
  DistributionConfig: v.object({
    Origins: v.tuple([v.object({ OriginCustomHeaders: v.tuple([v.object({ HeaderValue: v.unknown() })]) })]),
  }),
});

const guarded = v.object({ Environment: v.object({ Variables: v.looseObject({ ORIGIN_SECRETS: v.unknown() }) }) });

/** What CloudFront sends, and what functions accept. */
function firewallOf(assembly: Assembly): { readonly sent?: string; readonly accepted?: string } {
  const resolver = new Resolver(assembly);
  const firstOf = (type: string, valueIn: (properties: unknown) => unknown) =>
    resolver.resourcesOf(type).flatMap(({ properties, stack }) => {
      const value = valueIn(properties);
      return value === undefined ? [] : [String(resolver.resolve(value, stack))];
    })[0];
  return {
    sent: firstOf('AWS::CloudFront::Distribution', (properties) =>
      v.is(distribution, properties)
        ? properties.DistributionConfig.Origins[0].OriginCustomHeaders[0].HeaderValue
        : undefined,
    ),
    accepted: firstOf('AWS::Lambda::Function', (properties) =>
      v.is(guarded, properties) ? properties.Environment.Variables.ORIGIN_SECRETS : undefined,
    ),
  };
}

/** Exports that a deployed stack would lose while another imports them. */
export function lostExports(deployed: Assembly, next: Assembly): string[] {
  const kept = new Set(exportsIn(next).map(({ name }) => name));
  return exportsIn(deployed)
    .filter(({ name }) => !kept.has(name))
    .flatMap(({ place, name }) => {
      const importer = deployed.stacks.find((stack) => importsOf(stack).includes(name));
      if (!importer) return [];
      return [
        `${place} cannot go while ${importer.name} imports it: deploy those that import it first (infra/RUNBOOK.md, "Restore").`,
      ];
    });
}

/** As the names of exports. */
function importsOf({ template }: Stack): string[] {
  return [...JSON.stringify(template).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name]) => `export ${name}`);
}

const placeOf = ({ stack, logicalId }: Resource) => `${stack.name}/${logicalId}`;

interface Changed {
  readonly place: string;
  readonly type: string;
  readonly before: Resource['properties'];
  readonly after: Resource['properties'];
}

/** Resources of these types that are in both releases. */
function changedOf(types: readonly string[], deployed: Assembly, next: Assembly): Changed[] {
  const before = new Map(deployed.resources.map((resource) => [placeOf(resource), resource.properties]));
  return next.resources
    .filter(({ type }) => types.includes(type))
    .flatMap((resource) => {
      const place = placeOf(resource);
      const former = before.get(place);
      return former ? [{ place, type: resource.type, before: former, after: resource.properties }] : [];
    });
}

function holdersIn(assembly: Assembly): Holder[] {
  const resolver = new Resolver(assembly);
  return [...assembly.resources.flatMap((resource) => named(resolver, resource)), ...exportsIn(assembly, resolver)];
}

function named(resolver: Resolver, resource: Resource): Holder[] {
  const { stack, type, properties } = resource;
  const names = UNIQUE_PROPERTIES[type] ?? [];
  const last = names.at(-1);
  if (last === undefined || properties[last] === undefined) return [];
  const values = names.map((name) => resolver.resolve(properties[name], stack));
  return [{ place: placeOf(resource), name: `${type} ${values.map(comparable).join(' ')}` }];
}

/** The gateway may take two paths for the same that differ only in the names of their parameters. */
function comparable(value: unknown): string {
  return String(value).replaceAll(/\{\w+\}/g, '{}');
}

function exportsIn(assembly: Assembly, resolver = new Resolver(assembly)): Holder[] {
  return assembly.stacks.flatMap((stack) =>
    Object.entries(stack.template.Outputs).flatMap(([output, { Export }]) =>
      Export ? [{ place: `${stack.name}/${output}`, name: `export ${resolver.resolve(Export.Name, stack)}` }] : [],
    ),
  );
}
