import { join } from 'node:path';
import * as v from 'valibot';
import { ACCOUNT } from '../names.ts';
import { policyDocument, type Statement } from '../policy.ts';
import type { Resolver } from '../resolve.ts';
import { AssemblyError, type Resource } from '../template.ts';
import { wildcard } from '../wildcard.ts';
import { named, numeric, parse } from './properties.ts';

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

const permissionProperties = v.object({
  Action: v.string(),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.optional(v.string()),
});

export function functionPlans(resolver: Resolver): FunctionPlan[] {
  return resolver.resourcesOf('AWS::Lambda::Function').map((resource) => functionPlan(resolver, resource));
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

export type InvocationRight = (functionName: string, principal: string, sourceArn: string) => boolean;

/** A service cannot invoke a function in the cloud without the function's permission. */
export function invocationRights(resolver: Resolver): InvocationRight {
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

export function functionNameOf(text: string): string {
  return /:function:([\w-]+)/.exec(text)?.[1] ?? text;
}

/** How AWS names a running function in its error messages. */
export function callerArn({ roleName, name }: FunctionPlan): string {
  return `arn:aws:sts::${ACCOUNT}:assumed-role/${roleName}/${name}`;
}

export function handlerOf({ codeFolder, handler }: FunctionPlan): { file: string; exportName: string } {
  const separator = handler.lastIndexOf('.');
  return { file: join(codeFolder, handler.slice(0, separator)), exportName: handler.slice(separator + 1) };
}
