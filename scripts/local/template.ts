import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';

/** Reads a cloud assembly (`cdk.out`). Nothing is resolved yet. */

const properties = v.record(v.string(), v.unknown());

const template = v.object({
  Parameters: v.optional(v.record(v.string(), v.object({ Type: v.string(), Default: v.optional(v.unknown()) })), {}),
  Resources: v.optional(
    v.record(
      v.string(),
      v.object({
        Type: v.string(),
        Condition: v.optional(v.string()),
        Properties: v.optional(properties, {}),
        Metadata: v.optional(properties, {}),
      }),
    ),
    {},
  ),
  Outputs: v.optional(
    v.record(v.string(), v.object({ Value: v.unknown(), Export: v.optional(v.object({ Name: v.unknown() })) })),
    {},
  ),
});

type Template = v.InferOutput<typeof template>;

const manifest = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      properties: v.optional(v.looseObject({ templateFile: v.optional(v.string()) }), {}),
    }),
  ),
});

export interface Stack {
  readonly name: string;
  readonly template: Template;
  /** As it is sent; unknown of one that is deployed. */
  readonly bytes?: number;
  /** Set for a nested stack, which is a resource of its parent. */
  readonly parent?: { readonly stack: Stack; readonly logicalId: string };
}

export interface Resource {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  readonly condition?: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assetPath?: string;
}

export interface Assembly {
  readonly stacks: readonly Stack[];
  readonly resources: readonly Resource[];
}

export class AssemblyError extends Error {}

export const NESTED_STACK = 'AWS::CloudFormation::Stack';

export function loadAssembly(folder: string): Assembly {
  const { artifacts } = v.parse(manifest, readJson(join(folder, 'manifest.json')));
  const stacks: Stack[] = [];
  for (const [name, { type, properties: artifact }] of Object.entries(artifacts)) {
    if (type !== 'aws:cloudformation:stack' || !artifact.templateFile) continue;
    stacks.push(...withNestedStacks(folder, { name, ...readTemplate(join(folder, artifact.templateFile)) }));
  }
  return assemblyOf(stacks, folder);
}

/** @param folder where the assets of the stacks lie, if that matters */
export function assemblyOf(stacks: readonly Stack[], folder = ''): Assembly {
  return { stacks, resources: stacks.flatMap((stack) => resourcesOf(folder, stack)) };
}

function withNestedStacks(folder: string, stack: Stack): Stack[] {
  const nested = resourcesOf(folder, stack).filter(({ type }) => type === NESTED_STACK);
  return [
    stack,
    ...nested.flatMap(({ logicalId, assetPath }) => {
      if (!assetPath) throw new AssemblyError(`The nested stack ${stack.name}/${logicalId} has no template asset.`);
      const name = `${stack.name}-${logicalId}`;
      return withNestedStacks(folder, { name, ...readTemplate(assetPath), parent: { stack, logicalId } });
    }),
  ];
}

function resourcesOf(folder: string, stack: Stack): Resource[] {
  return Object.entries(stack.template.Resources).map(([logicalId, resource]) => {
    const asset = resource.Metadata['aws:asset:path'];
    return {
      stack,
      logicalId,
      type: resource.Type,
      condition: resource.Condition,
      properties: resource.Properties,
      assetPath: typeof asset === 'string' ? resolve(folder, asset) : undefined,
    };
  });
}

function readTemplate(path: string): Pick<Stack, 'template' | 'bytes'> {
  const text = read(path);
  return { template: parseTemplate(readJson(path, text)), bytes: Buffer.byteLength(text) };
}

export function parseTemplate(content: unknown): Template {
  return v.parse(template, content);
}

function readJson(path: string, text = read(path)): unknown {
  return readable(path, () => JSON.parse(text));
}

const read = (path: string): string => readable(path, () => readFileSync(path, 'utf8'));

function readable<Content>(path: string, reading: () => Content): Content {
  try {
    return reading();
  } catch (cause) {
    throw new AssemblyError(`${path} is not a readable part of a cloud assembly.`, { cause });
  }
}
