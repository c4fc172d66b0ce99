import { join } from 'node:path';
import * as v from 'valibot';
import { ACCOUNT, arn } from './names.ts';
import { policyDocument, type Statement } from './policy.ts';
import type { Resolver } from './resolve.ts';
import { AssemblyError, type Resource } from './template.ts';
import { wildcard } from './wildcard.ts';

/**
 * What the local cloud has to run, in plain words. The blueprint is made from the resources of the stacks
 * and from nothing else.
 */
export interface Blueprint {
  readonly tables: readonly TablePlan[];
  readonly queues: readonly QueuePlan[];
  readonly keys: readonly KeyPlan[];
  readonly functions: readonly FunctionPlan[];
  readonly apis: readonly ApiPlan[];
  readonly eventSources: readonly EventSourcePlan[];
  readonly schedules: readonly SchedulePlan[];
}

const numeric = v.pipe(v.union([v.number(), v.string()]), v.transform(Number));
const flag = v.pipe(
  v.union([v.boolean(), v.string()]),
  v.transform((value) => String(value) === 'true'),
);

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const tableProperties = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: keySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
    [],
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.optional(v.string()), Enabled: flag })),
});

export interface TablePlan extends v.InferOutput<typeof tableProperties> {
  readonly name: string;
  readonly arn: string;
}

const queueProperties = v.object({
  FifoQueue: v.optional(flag, false),
  ContentBasedDeduplication: v.optional(flag),
  DeduplicationScope: v.optional(v.string()),
  FifoThroughputLimit: v.optional(v.string()),
  VisibilityTimeout: v.optional(numeric, 30),
  DelaySeconds: v.optional(numeric),
  MaximumMessageSize: v.optional(numeric),
  MessageRetentionPeriod: v.optional(numeric),
  ReceiveMessageWaitTimeSeconds: v.optional(numeric),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: numeric })),
});

export interface QueuePlan {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly visibilityTimeoutSeconds: number;
  readonly redrive?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
  /** As `GetQueueAttributes` gives them. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface KeyPlan {
  readonly id: string;
  readonly arn: string;
  readonly aliases: readonly string[];
}

const functionProperties = v.object({
  Handler: v.string(),
  Runtime: v.pipe(v.string(), v.startsWith('nodejs', 'The local cloud runs Node.js functions only.')),
  Role: v.string(),
  Timeout: v.optional(numeric, 3),
  MemorySize: v.optional(numeric, 128),
  ReservedConcurrentExecutions: v.optional(numeric),
  Environment: v.optional(
    v.object({
      Variables: v.optional(
        v.record(v.string(), v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String))),
        {},
      ),
    }),
    {},
  ),
  LoggingConfig: v.optional(v.object({ LogGroup: v.optional(v.string()), LogFormat: v.optional(v.string()) }), {}),
});

export interface FunctionPlan {
  readonly name: string;
  readonly arn: string;
  readonly codeFolder: string;
  /** `file.export` */
  readonly handler: string;
  readonly runtime: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly reservedConcurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logGroup: string;
  readonly logFormat: string;
  readonly roleName: string;
  readonly statements: readonly Statement[];
}

const corsProperties = v.object({
  AllowOrigins: v.optional(v.array(v.string()), []),
  AllowMethods: v.optional(v.array(v.string()), []),
  AllowHeaders: v.optional(v.array(v.string()), []),
  ExposeHeaders: v.optional(v.array(v.string()), []),
  AllowCredentials: v.optional(flag, false),
  MaxAge: v.optional(numeric),
});

export type CorsPlan = v.InferOutput<typeof corsProperties>;

const apiProperties = v.object({ ProtocolType: v.literal('HTTP'), CorsConfiguration: v.optional(corsProperties) });
const stageProperties = v.object({
  ApiId: v.string(),
  StageName: v.string(),
  DefaultRouteSettings: v.optional(
    v.object({ ThrottlingRateLimit: v.optional(numeric), ThrottlingBurstLimit: v.optional(numeric) }),
    {},
  ),
});
const routeProperties = v.object({ ApiId: v.string(), RouteKey: v.string(), Target: v.string() });
const integrationProperties = v.object({
  ApiId: v.string(),
  IntegrationType: v.literal('AWS_PROXY'),
  IntegrationUri: v.string(),
  PayloadFormatVersion: v.literal('2.0'),
  TimeoutInMillis: v.optional(numeric, 30_000),
});

export interface RoutePlan {
  /** `GET /things/{id}` or `$default`. */
  readonly routeKey: string;
  readonly functionName: string;
  readonly timeoutMilliseconds: number;
}

export interface ApiPlan {
  readonly id: string;
  readonly stage: string;
  readonly cors?: CorsPlan;
  /** The limit of the requests of all callers together, if the stage has one. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number };
  readonly routes: readonly RoutePlan[];
}

const eventSourceProperties = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  Enabled: v.optional(flag, true),
  BatchSize: v.optional(numeric, 10),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(numeric) }), {}),
});

export interface EventSourcePlan {
  readonly queue: QueuePlan;
  readonly functionName: string;
  readonly batchSize: number;
  readonly reportsItemFailures: boolean;
  readonly maximumConcurrency?: number;
}

const ruleProperties = v.object({
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(v.object({ Arn: v.string(), Input: v.optional(v.string()) })), []),
});

export interface SchedulePlan {
  readonly ruleName: string;
  readonly ruleArn: string;
  /** `rate(5 minutes)` or `cron(0/5 * * * ? *)` */
  readonly expression: string;
  readonly functionName: string;
  /** Replaces the event, if the rule says so. */
  readonly input?: string;
}

const permissionProperties = v.object({
  Action: v.string(),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.optional(v.string()),
});

export function blueprintOf(resolver: Resolver): Blueprint {
  const queues = resolver.resourcesOf('AWS::SQS::Queue').map((resource) => queuePlan(resolver, resource));
  const functions = resolver.resourcesOf('AWS::Lambda::Function').map((resource) => functionPlan(resolver, resource));
  const isInvokable = invocationRights(resolver);
  return {
    tables: resolver
      .resourcesOf('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')
      .map((resource) => ({ ...named(resolver, resource), ...parse(resolver, resource, tableProperties) })),
    queues,
    keys: keyPlans(resolver),
    functions,
    apis: resolver.resourcesOf('AWS::ApiGatewayV2::Api').map((resource) => apiPlan(resolver, resource, isInvokable)),
    eventSources: eventSourcePlans(resolver, queues),
    schedules: schedulePlans(resolver, isInvokable),
  };
}

function parse<const Schema extends v.GenericSchema>(
  resolver: Resolver,
  resource: Resource,
  schema: Schema,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, resolver.propertiesOf(resource));
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; ');
  throw new AssemblyError(`${resource.stack.name}/${resource.logicalId} (${resource.type}): ${complaints}`);
}

function named(resolver: Resolver, resource: Resource): { name: string; arn: string } {
  const { ref, attributes } = resolver.physicalIdOf(resource);
  return { name: ref, arn: attributes.Arn ?? ref };
}

function queuePlan(resolver: Resolver, resource: Resource): QueuePlan {
  const { ref: url, attributes } = resolver.physicalIdOf(resource);
  const { FifoQueue, RedrivePolicy, ...rest } = parse(resolver, resource, queueProperties);
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    name: attributes.QueueName ?? url,
    url,
    arn: attributes.Arn ?? url,
    visibilityTimeoutSeconds: rest.VisibilityTimeout,
    redrive: RedrivePolicy,
    attributes: {
      ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ...(FifoQueue && { FifoQueue: 'true' }),
      ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
    },
  };
}

function keyPlans(resolver: Resolver): KeyPlan[] {
  const aliases = resolver
    .resourcesOf('AWS::KMS::Alias')
    .map((resource) => parse(resolver, resource, v.object({ AliasName: v.string(), TargetKeyId: v.string() })));
  return resolver.resourcesOf('AWS::KMS::Key').map((resource) => {
    const { name: id, arn: keyArn } = named(resolver, resource);
    const own = aliases.filter(({ TargetKeyId }) => TargetKeyId === id || TargetKeyId === keyArn);
    return { id, arn: keyArn, aliases: own.map(({ AliasName }) => AliasName) };
  });
}

function functionPlan(resolver: Resolver, resource: Resource): FunctionPlan {
  const { name, arn: functionArn } = named(resolver, resource);
  const properties = parse(resolver, resource, functionProperties);
  const roleName = properties.Role.split('/').at(-1) ?? properties.Role;
  return {
    name,
    arn: functionArn,
    codeFolder: resource.assetPath ?? inlineCode(name),
    handler: properties.Handler,
    runtime: properties.Runtime,
    timeoutSeconds: properties.Timeout,
    memoryMegabytes: properties.MemorySize,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
    environment: properties.Environment.Variables ?? {},
    logGroup: properties.LoggingConfig.LogGroup ?? `/aws/lambda/${name}`,
    logFormat: properties.LoggingConfig.LogFormat ?? 'Text',
    roleName,
    statements: statementsOf(resolver, roleName),
  };
}

function inlineCode(name: string): never {
  throw new AssemblyError(`The function ${name} has no code asset.`);
}

/** The statements of a role: its own inline policies, and the policies that name it. */
function statementsOf(resolver: Resolver, roleName: string): Statement[] {
  const inline = v.object({
    Policies: v.optional(v.array(v.object({ PolicyDocument: policyDocument })), []),
  });
  const attached = v.object({ Roles: v.optional(v.array(v.string()), []), PolicyDocument: policyDocument });
  const role = resolver.resourcesOf('AWS::IAM::Role').find((resource) => named(resolver, resource).name === roleName);
  if (!role) throw new AssemblyError(`No stack has the role ${roleName}.`);
  const own = parse(resolver, role, inline).Policies;
  const others = resolver
    .resourcesOf('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .map((resource) => parse(resolver, resource, attached))
    .filter(({ Roles }) => Roles.includes(roleName));
  return [...own, ...others].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

type InvocationRight = (functionName: string, principal: string, sourceArn: string) => boolean;

/**
 * Reads the resource-based policies: without a function's permission, a service cannot invoke the
 * function in the cloud either.
 */
function invocationRights(resolver: Resolver): InvocationRight {
  const permissions = resolver
    .resourcesOf('AWS::Lambda::Permission')
    .map((resource) => parse(resolver, resource, permissionProperties));
  return (functionName, principal, sourceArn) =>
    permissions.some(
      (permission) =>
        permission.Action === 'lambda:InvokeFunction' &&
        permission.Principal === principal &&
        functionNameOf(permission.FunctionName) === functionName &&
        (permission.SourceArn === undefined || wildcard(permission.SourceArn).test(sourceArn)),
    );
}

/**
 * The name in a function's ARN, or in an API Gateway integration that holds such an ARN. A bare name stays as it is.
 */
function functionNameOf(text: string): string {
  return /:function:([\w-]+)/.exec(text)?.[1] ?? text;
}

function apiPlan(resolver: Resolver, resource: Resource, isInvokable: InvocationRight): ApiPlan {
  const id = named(resolver, resource).name;
  const { CorsConfiguration } = parse(resolver, resource, apiProperties);
  const integrations = new Map(
    resolver
      .resourcesOf('AWS::ApiGatewayV2::Integration')
      .map((integration) => [named(resolver, integration).name, parse(resolver, integration, integrationProperties)]),
  );
  const stage = resolver
    .resourcesOf('AWS::ApiGatewayV2::Stage')
    .map((candidate) => parse(resolver, candidate, stageProperties))
    .find(({ ApiId }) => ApiId === id);
  if (!stage) throw new AssemblyError(`The API ${resource.logicalId} has no stage.`);
  const routes = resolver
    .resourcesOf('AWS::ApiGatewayV2::Route')
    .map((route) => parse(resolver, route, routeProperties))
    .filter(({ ApiId }) => ApiId === id)
    .map(({ RouteKey, Target }) => {
      const integration = integrations.get(Target.replace('integrations/', ''));
      if (!integration) throw new AssemblyError(`The route ${RouteKey} has no integration.`);
      const functionName = functionNameOf(integration.IntegrationUri);
      const [method, path] = RouteKey === '$default' ? ['*', '/$default'] : RouteKey.split(' ');
      const source = arn('execute-api', `${id}/${stage.StageName}/${method}${path}`);
      if (!isInvokable(functionName, 'apigateway.amazonaws.com', source)) {
        throw new AssemblyError(`API Gateway may not invoke ${functionName} for ${RouteKey}.`);
      }
      return { routeKey: RouteKey, functionName, timeoutMilliseconds: integration.TimeoutInMillis };
    });
  const { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: burst } = stage.DefaultRouteSettings;
  const throttle = perSecond !== undefined && burst !== undefined ? { perSecond, burst } : undefined;
  return { id, stage: stage.StageName, cors: CorsConfiguration, throttle, routes };
}

function eventSourcePlans(resolver: Resolver, queues: readonly QueuePlan[]): EventSourcePlan[] {
  return resolver
    .resourcesOf('AWS::Lambda::EventSourceMapping')
    .map((resource) => parse(resolver, resource, eventSourceProperties))
    .filter(({ Enabled }) => Enabled)
    .map(({ EventSourceArn, FunctionName, BatchSize, FunctionResponseTypes, ScalingConfig }) => {
      const queue = queues.find((candidate) => candidate.arn === EventSourceArn);
      if (!queue) throw new AssemblyError(`The local cloud has no event source ${EventSourceArn}.`);
      return {
        queue,
        functionName: functionNameOf(FunctionName),
        batchSize: BatchSize,
        reportsItemFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
        maximumConcurrency: ScalingConfig.MaximumConcurrency,
      };
    });
}

function schedulePlans(resolver: Resolver, isInvokable: InvocationRight): SchedulePlan[] {
  return resolver.resourcesOf('AWS::Events::Rule').flatMap((resource) => {
    const { name: ruleName, arn: ruleArn } = named(resolver, resource);
    const { ScheduleExpression: expression, State, Targets } = parse(resolver, resource, ruleProperties);
    if (expression === undefined || State !== 'ENABLED') return [];
    return Targets.map(({ Arn, Input }) => {
      const functionName = functionNameOf(Arn);
      if (!isInvokable(functionName, 'events.amazonaws.com', ruleArn)) {
        throw new AssemblyError(`The rule ${ruleName} may not invoke ${functionName}.`);
      }
      return { ruleName, ruleArn, expression, functionName, input: Input };
    });
  });
}

/** `arn:aws:sts::...:assumed-role/ROLE/FUNCTION`: how AWS names a running function in its error messages. */
export function callerArn({ roleName, name }: FunctionPlan): string {
  return `arn:aws:sts::${ACCOUNT}:assumed-role/${roleName}/${name}`;
}

/** The file name without its extension, and the export, that a function's `Handler` names. */
export function handlerOf({ codeFolder, handler }: FunctionPlan): { file: string; exportName: string } {
  const separator = handler.lastIndexOf('.');
  return { file: join(codeFolder, handler.slice(0, separator)), exportName: handler.slice(separator + 1) };
}
