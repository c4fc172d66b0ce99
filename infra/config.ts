import type { Node } from 'constructs';
import * as v from 'valibot';

/**
 * What differs between deployments and is known when the stacks are synthesized. The settings of each stage are here, so that whoever
 * deploys cannot forget one; CDK context wins over them (`cdk synth --context logLevel=DEBUG`, or `context` in cdk.json). What may change
 * without a new synthesis are CloudFormation parameters, which a deployment sets to what is here: `AllowedOrigins`, `RemoteApiUrl`.
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

/** What DynamoDB gives a new table on demand without being asked; less cannot be set. */
const FREE_WARM_READ_UNITS = 12_000;
const FREE_WARM_WRITE_UNITS = 4_000;

/**
 * What the table takes at once, in units a second over all of its partitions: one partition key has 3,000 read and 1,000 write units however warm the table
 * is. AWS charges once for each unit that is added, and takes none back. The indexes keep what is free: only clients, invoices and connections are in
 * them.
 */
const warmThroughput = v.object({
  readUnitsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(FREE_WARM_READ_UNITS)),
  writeUnitsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(FREE_WARM_WRITE_UNITS)),
});

const settingsSchema = v.object({
  /** Who gets the alarms. Without it they are only shown. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  /** Nothing quieter: Lambda takes a metric for a line of level INFO, and would drop it, and with it the alarms. */
  logLevel: v.picklist(['DEBUG', 'INFO']),
  logRetentionDays: v.pipe(number, v.picklist(RETENTION_DAYS)),
  /**
   * Origins of the pages that may call the API from a browser. Browsers send a key only where a page put it in, never by themselves as they
   * do cookies, so that another origin gains nothing that it could not do without a browser.
   */
  allowedOrigins: v.pipe(
    v.array(v.union([v.literal('*'), v.pipe(v.string(), v.url(), v.regex(/[^/]$/, 'Expected no slash at the end.'))])),
    v.nonEmpty(),
  ),
  /** Where the remote time-tracking provider answers. */
  remoteApiUrl: v.pipe(v.string(), v.url()),
  /** Whether table and key outlive their stack, and refuse to be deleted. */
  protectsData: v.boolean(),
  /** The name of a table that was restored from a backup, which takes the place of the stack's own (`infra/RUNBOOK.md`, "Restore"). */
  restoredTable: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{3,255}$/))),
  /** For a rush that is known beforehand: an import takes some 4 write units a row (`infra/RUNBOOK.md`, "Warm throughput"). */
  warmThroughput: v.optional(warmThroughput),
  /** Of the whole API: it protects the account's Lambda concurrency from all keys together. Each key has its own limit besides. */
  requestsPerSecond: v.pipe(number, v.integer(), v.minValue(1)),
  burstRequests: v.pipe(number, v.integer(), v.minValue(1)),
  domain: v.optional(customDomain),
});

type Settings = v.InferOutput<typeof settingsSchema>;

export const STAGES = ['dev', 'staging', 'production'] as const;

export type Stage = (typeof STAGES)[number];

const HARVEST_URL = 'https://api.harvestapp.com';

const SETTINGS: Readonly<Record<Stage, Settings>> = {
  /** For one developer: it says everything, forgets it after a week, and leaves nothing behind when it is destroyed. */
  dev: {
    logLevel: 'DEBUG',
    logRetentionDays: 7,
    allowedOrigins: ['*'],
    remoteApiUrl: HARVEST_URL,
    protectsData: false,
    requestsPerSecond: 50,
    burstRequests: 100,
  },
  /** As production, for fewer callers: what works here works there. */
  staging: {
    logLevel: 'INFO',
    logRetentionDays: 14,
    allowedOrigins: ['*'],
    remoteApiUrl: HARVEST_URL,
    protectsData: true,
    requestsPerSecond: 100,
    burstRequests: 200,
  },
  production: {
    logLevel: 'INFO',
    logRetentionDays: 30,
    allowedOrigins: ['*'],
    remoteApiUrl: HARVEST_URL,
    protectsData: true,
    requestsPerSecond: 500,
    burstRequests: 1_000,
  },
};

export interface Config extends Settings {
  readonly stage: Stage;
  /** Begins the name of every stack, function and queue: `billwright`, or `billwright-<stage>`. */
  readonly prefix: string;
}

const stageSchema = v.optional(v.picklist(STAGES), 'production');

/** Fails the synthesis, naming each wrong setting. */
export function readConfig(node: Node): Config {
  const context = (name: string) => node.tryGetContext(name) ?? undefined;
  const { stage } = parse(v.object({ stage: stageSchema }), { stage: context('stage') });
  const names = Object.keys(settingsSchema.entries);
  const given = Object.fromEntries(
    names.flatMap((name) => (context(name) === undefined ? [] : [[name, context(name)]])),
  );
  return { ...parse(settingsSchema, { ...SETTINGS[stage], ...given }), stage, prefix: prefixOf(stage) };
}

/** Several stages can live in one account; only the production's names have no stage in them. */
export function prefixOf(stage: Stage): string {
  return stage === 'production' ? 'billwright' : `billwright-${stage}`;
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  throw new Error(`The CDK context is wrong. ${complaints.join('; ')}`);
}
