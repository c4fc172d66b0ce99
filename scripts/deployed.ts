import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { asError } from '#shared/runtime/error.ts';
import { type Assembly, assemblyOf, NESTED_STACK, parseTemplate, type Stack } from './local/template.ts';

const run = promisify(execFile);

/** A template has up to a megabyte, and the command line indents it. */
const MOST_OUTPUT_BYTES = 10 * 1_024 * 1_024;

const NO_JSON =
  'a template is YAML, as "cdk import" leaves it. Deploy its stack by itself first (infra/RUNBOOK.md, "Restore").';

const templateAnswer = v.object({ TemplateBody: v.looseObject({}, NO_JSON) });

const resourceAnswer = v.object({
  StackResourceDetail: v.object({ PhysicalResourceId: v.optional(v.string()) }),
});

/**
 * The templates of the stacks that are there, with their nested stacks.
 *
 * @param region as the SDK finds it: the AWS command line looks in other places
 */
export async function deployedRelease(names: readonly string[], region: string): Promise<Assembly> {
  const stacks = await Promise.all(names.map((name) => withNestedStacks(region, name, name)));
  return assemblyOf(stacks.flat());
}

/** @param id its name, or for a nested stack its ARN */
async function withNestedStacks(region: string, id: string, name: string, parent?: Stack['parent']): Promise<Stack[]> {
  const told = await tell(templateAnswer, 'get-template', id, '--template-stage', 'Original', '--region', region);
  if (!told) return [];
  const stack: Stack = { name, template: parseTemplate(told.TemplateBody), parent };
  const nested = Object.entries(stack.template.Resources).filter(([, { Type }]) => Type === NESTED_STACK);
  const below = nested.map(async ([logicalId]) => {
    const arn = await physicalId(region, id, logicalId);
    return arn ? withNestedStacks(region, arn, `${name}-${logicalId}`, { stack, logicalId }) : [];
  });
  return [stack, ...(await Promise.all(below)).flat()];
}

/** The name that CloudFormation gave a table which is there. */
export async function deployedTable({ resources }: Assembly, region: string): Promise<string | undefined> {
  const table = resources.find(({ type }) => type === 'AWS::DynamoDB::GlobalTable');
  return table && physicalId(region, table.stack.name, table.logicalId);
}

/** The number of the account that a deployment goes to. */
export async function deployingAccount(region: string): Promise<string> {
  const words = ['sts', 'get-caller-identity', '--query', 'Account', '--output', 'text', '--region', region];
  return (await run('aws', words)).stdout.trim();
}

async function physicalId(region: string, stackId: string, logicalId: string): Promise<string | undefined> {
  const options = ['--logical-resource-id', logicalId, '--region', region];
  const resource = await tell(resourceAnswer, 'describe-stack-resource', stackId, ...options);
  return resource?.StackResourceDetail.PhysicalResourceId;
}

/** @returns undefined for what does not exist */
async function tell<const Schema extends v.GenericSchema>(
  schema: Schema,
  command: string,
  stackId: string,
  ...options: readonly string[]
): Promise<v.InferOutput<Schema> | undefined> {
  const words = ['cloudformation', command, '--stack-name', stackId, ...options, '--output', 'json'];
  try {
    const { stdout } = await run('aws', words, { maxBuffer: MOST_OUTPUT_BYTES });
    return v.parse(schema, JSON.parse(stdout));
  } catch (error) {
    const { message } = asError(error);
    if (message.includes('ValidationError') && message.includes('does not exist')) return undefined;
    throw error;
  }
}
