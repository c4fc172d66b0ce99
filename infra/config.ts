import type { Node } from 'constructs';
import * as v from 'valibot';

/**
 * What differs between deployments and is known when the stacks are synthesized: CDK context (`cdk deploy --context stage=beta`, or
 * `context` in cdk.json). What may change without a new synthesis are CloudFormation parameters: `AllowedOrigins`, `RemoteApiUrl`.
 */

/** The periods that CloudWatch Logs knows, up to ten years. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** The command line gives every value as a string. */
const number = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.number());

const customDomain = v.object({
  name: v.pipe(v.string(), v.nonEmpty()),
  /** Of a certificate in the region of the API. */
  certificateArn: v.pipe(v.string(), v.startsWith('arn:')),
});

const configSchema = v.object({
  /** Several stages can live in one account; only the production's names have no stage in them. */
  stage: v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,15}$/)), 'production'),
  /** Who gets the alarms. Without it they are only shown. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  logLevel: v.optional(v.picklist(['DEBUG', 'INFO', 'WARN', 'ERROR']), 'INFO'),
  logRetentionDays: v.optional(v.pipe(number, v.picklist(RETENTION_DAYS)), 30),
  /** Of the whole API: it protects the account's Lambda concurrency from all keys together. Each key has its own limit besides. */
  requestsPerSecond: v.optional(v.pipe(number, v.integer(), v.minValue(1)), 500),
  burstRequests: v.optional(v.pipe(number, v.integer(), v.minValue(1)), 1_000),
  domain: v.optional(customDomain),
});

export interface Config extends v.InferOutput<typeof configSchema> {
  /** Begins the name of every stack, function and queue: `billwright`, or `billwright-<stage>`. */
  readonly prefix: string;
}

/** Fails the synthesis, naming each wrong setting. */
export function readConfig(node: Node): Config {
  const names = Object.keys(configSchema.entries);
  const context = Object.fromEntries(names.map((name) => [name, node.tryGetContext(name) ?? undefined]));
  const result = v.safeParse(configSchema, context);
  if (!result.success) {
    const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(`The CDK context is wrong. ${complaints.join('; ')}`);
  }
  const { stage } = result.output;
  return { ...result.output, prefix: stage === 'production' ? 'billwright' : `billwright-${stage}` };
}
