import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Calls, readCalls } from '#infra/calls.ts';
import { type Tables, tables } from '#infra/functions.ts';
import { type Blueprint, blueprintOf } from '#scripts/local/blueprint.ts';
import { Resolver } from '#scripts/local/resolve.ts';
import { type Assembly, loadAssembly, type Resource } from '#scripts/local/template.ts';
import { ensureSynthesized, synthesizeStage } from '#scripts/synth.ts';

/** A synthesized service, with all references between its stacks resolved, so that tests can speak of meaning. */
export interface Stacks {
  readonly tables: Tables;
  /** What the code of the functions calls. */
  readonly calls: Calls;
  readonly assembly: Assembly;
  readonly resolver: Resolver;
  readonly blueprint: Blueprint;
  /** The rules that cdk-nag and CDK itself found broken. Nobody asks them of the stacks of the local cloud. */
  readonly findings?: readonly string[];
  /** Every resource of the type, its properties parsed by the schema. */
  ofType<const Schema extends v.GenericSchema>(type: string, schema: Schema): Parsed<v.InferOutput<Schema>>[];
}

interface Parsed<Properties> {
  readonly name: string;
  readonly resource: Resource;
  readonly properties: Properties;
}

export function readStacks(folder: string, ofTables: Tables, calls: Calls): Stacks {
  const assembly = loadAssembly(folder);
  const resolver = new Resolver(assembly);
  return {
    tables: ofTables,
    calls,
    assembly,
    resolver,
    blueprint: blueprintOf(resolver),
    findings: findingsIn(folder),
    ofType: (type, schema) =>
      resolver.resourcesOf(type).map((resource) => ({
        name: `${resource.stack.name}/${resource.logicalId}`,
        resource,
        properties: v.parse(schema, resolver.propertiesOf(resource)),
      })),
  };
}

const bundles = join(import.meta.dirname, '../../dist/functions');

let real: Promise<Stacks> | undefined;

/** The service itself. */
export function realStacks(): Promise<Stacks> {
  real ??= ensureSynthesized().then(readServiceStacks);
  return real;
}

/** The service as it is deployed. */
export async function deployedStacks(): Promise<Stacks> {
  return readServiceStacks(await synthesizeStage('production'));
}

const readServiceStacks = (folder: string) => readStacks(folder, tables, readCalls(bundles));

const report = v.object({
  pluginReports: v.array(v.object({ violations: v.array(v.object({ ruleName: v.string() })) })),
});

function findingsIn(folder: string): string[] | undefined {
  const file = join(folder, 'validation-report.json');
  if (!existsSync(file)) return undefined;
  const { pluginReports } = v.parse(report, JSON.parse(readFileSync(file, 'utf8')));
  return pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}
