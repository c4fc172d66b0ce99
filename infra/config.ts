import type { Node } from 'constructs';
import * as v from 'valibot';

/**
 * The settings that differ between deployments and are known at synthesis. Each stage has its settings here:
 * nobody who deploys can forget one. CDK context wins over them (`cdk synth --context logLevel=DEBUG`, or
 * `context` in cdk.json).
 *
 * `AllowedOrigins` and `RemoteApiUrl` are also CloudFormation parameters, because they may change without a new
 * synthesis. A deployment sets them to the values here.
 */

/** The retention periods that CloudWatch Logs accepts, up to ten years. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** A number or its text: the command line gives every value as a string. */
const number = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.number());

const customDomain = v.object({
  name: v.pipe(v.string(), v.nonEmpty()),
  /** The certificate must be in the region of the API. */
  certificateArn: v.pipe(v.string(), v.startsWith('arn:')),
});

/** What DynamoDB gives a new on-demand table by default. It accepts no lower setting. */
const FREE_WARM_READ_UNITS = 12_000;
const FREE_WARM_WRITE_UNITS = 4_000;

/**
 * What the table takes at once, in units a second, over all of its partitions. One partition key has 3,000 read and
 * 1,000 write units, however warm the table is. AWS charges once for each added unit and takes none back. The indexes
 * keep the free amount: they hold only clients, invoices and connections.
 */
const warmThroughput = v.object({
  readUnitsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(FREE_WARM_READ_UNITS)),
  writeUnitsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(FREE_WARM_WRITE_UNITS)),
});

const settingsSchema = v.object({
  /** Who gets the alarms. Without an address the alarms are only shown. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  /**
   * INFO is the quietest level. Lambda treats a metric as a line of level INFO: a higher level would drop the
   * metrics, and the alarms with them.
   */
  logLevel: v.picklist(['DEBUG', 'INFO']),
  logRetentionDays: v.pipe(number, v.picklist(RETENTION_DAYS)),
  /**
   * Origins of the pages that may call the API from a browser. A browser sends a key only if a page put it
   * into the request; it adds cookies by itself, but never keys. So another origin gains nothing that it could
   * not do without a browser.
   */
  allowedOrigins: v.pipe(
    v.array(v.union([v.literal('*'), v.pipe(v.string(), v.url(), v.regex(/[^/]$/, 'Expected no slash at the end.'))])),
    v.nonEmpty(),
  ),
  /** The address of the remote time-tracking provider. */
  remoteApiUrl: v.pipe(v.string(), v.url()),
  /** Whether the table and the key outlive their stack and refuse to be deleted. */
  protectsData: v.boolean(),
  /**
   * The name of a table that was restored from a backup. It replaces the stack's own table
   * (`infra/RUNBOOK.md`, "Restore").
   */
  restoredTable: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{3,255}$/))),
  /**
   * For a rush that is known beforehand. An import takes about 4 write units a row
   * (`infra/RUNBOOK.md`, "Warm throughput").
   */
  warmThroughput: v.optional(warmThroughput),
  /**
   * The limit of the whole API. It protects the account's Lambda concurrency from all keys together. Each key
   * also has its own limit.
   */
  requestsPerSecond: v.pipe(number, v.integer(), v.minValue(1)),
  burstRequests: v.pipe(number, v.integer(), v.minValue(1)),
  domain: v.optional(customDomain),
});

type Settings = v.InferOutput<typeof settingsSchema>;

export const STAGES = ['dev', 'staging', 'production'] as const;

export type Stage = (typeof STAGES)[number];

const HARVEST_URL = 'https://api.harvestapp.com';

const SETTINGS: Readonly<Record<Stage, Settings>> = {
  /** For one developer. It logs everything, keeps logs for a week, and leaves nothing behind when it is destroyed. */
  dev: {
    logLevel: 'DEBUG',
    logRetentionDays: 7,
    allowedOrigins: ['*'],
    remoteApiUrl: HARVEST_URL,
    protectsData: false,
    requestsPerSecond: 50,
    burstRequests: 100,
  },
  /** Like production, for fewer callers: what works here works there. */
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
  /** The start of every stack, function and queue name: `billwright`, or `billwright-<stage>`. */
  readonly prefix: string;
}

const stageSchema = v.optional(v.picklist(STAGES), 'production');

/**
 * Reads the settings of a deployment.
 *
 * @throws Error that names each wrong setting, which fails the synthesis
 */
export function readConfig(node: Node): Config {
  const context = (name: string) => node.tryGetContext(name) ?? undefined;
  const { stage } = parse(v.object({ stage: stageSchema }), { stage: context('stage') });
  const names = Object.keys(settingsSchema.entries);
  const given = Object.fromEntries(
    names.flatMap((name) => (context(name) === undefined ? [] : [[name, context(name)]])),
  );
  return { ...parse(settingsSchema, { ...SETTINGS[stage], ...given }), stage, prefix: prefixOf(stage) };
}

/** Several stages can share one account. Only production has no stage in its names. */
export function prefixOf(stage: Stage): string {
  return stage === 'production' ? 'billwright' : `billwright-${stage}`;
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  throw new Error(`The CDK context is wrong. ${complaints.join('; ')}`);
}
