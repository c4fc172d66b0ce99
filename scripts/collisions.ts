import { Resolver } from './local/resolve.ts';
import type { Assembly, Resource, Stack } from './local/template.ts';

/**
 * A model of CloudFormation: a deployment creates and changes everything, of all stacks at once, before it deletes
 * anything. So nothing can take a name that something else has in the release before. The model is stricter than CDK,
 * which deploys one stack after another.
 */

/** Properties that must differ between all resources of a type. CloudFormation itself names those of other types. */
export const UNIQUE_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::ApiMapping': ['ApiMappingKey', 'DomainName'],
  'AWS::ApiGatewayV2::DomainName': ['DomainName'],
  'AWS::ApiGatewayV2::Route': ['ApiId', 'RouteKey'],
  'AWS::ApiGatewayV2::Stage': ['ApiId', 'StageName'],
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

/** @returns a line for each name that the next release takes from something which still has it, and what to do */
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

/** @returns a line for each table or key that a stack which is there would make anew, and empty */
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

/** @returns a line for each export that a deployed stack would lose while another imports it */
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

const resolverOf = (assembly: Assembly) => new Resolver(assembly, {}, { aws: '', api: '' });

function holdersIn(assembly: Assembly): Holder[] {
  const resolver = resolverOf(assembly);
  return [...assembly.resources.flatMap((resource) => named(resolver, resource)), ...exportsIn(assembly, resolver)];
}

function named(resolver: Resolver, resource: Resource): Holder[] {
  const { stack, type, logicalId, properties } = resource;
  const names = UNIQUE_PROPERTIES[type] ?? [];
  const last = names.at(-1);
  if (last === undefined || properties[last] === undefined) return [];
  const values = names.map((name) => resolver.resolve(properties[name], stack));
  return [{ place: `${stack.name}/${logicalId}`, name: `${type} ${values.map(comparable).join(' ')}` }];
}

/** The gateway may take two paths for the same that differ only in the names of their parameters. */
function comparable(value: unknown): string {
  return String(value).replaceAll(/\{\w+\}/g, '{}');
}

function exportsIn(assembly: Assembly, resolver = resolverOf(assembly)): Holder[] {
  return assembly.stacks.flatMap((stack) =>
    Object.entries(stack.template.Outputs).flatMap(([output, { Export }]) =>
      Export ? [{ place: `${stack.name}/${output}`, name: `export ${resolver.resolve(Export.Name, stack)}` }] : [],
    ),
  );
}
