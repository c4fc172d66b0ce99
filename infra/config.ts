import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as v from 'valibot';
import type { QueueDefinition } from '#shared/queues.ts';
import { functionsOf, LEAST_WORKERS, type Tables } from './functions.ts';

/**
 * The settings of each stage. CDK context wins over them: `cdk synth --context logLevel=DEBUG`, or `cdk.json`.
 * `AllowedOrigins`, `RemoteApiUrl`, `OidcIssuer` and `OidcAudience` are also CloudFormation parameters, which change
 * without a synthesis.
 */

/** The numbers of days that CloudWatch Logs accepts. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** The command line gives every value as a string. */
const number = v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.number());

/** The gateway takes no pattern of names. */
const origin = v.pipe(
  v.string(),
  v.check(
    (text) => URL.parse(text)?.origin === text && !text.includes('*'),
    'Expected an origin such as https://app.example.com.',
  ),
);

const httpsUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^https:\/\/[^\s?#]+$/.test(text) && URL.canParse(text),
    'Expected a URL that begins with https://, without a query.',
  ),
);

/** API Gateway takes only small letters. */
const DOMAIN_NAME = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/;

const customDomain = v.strictObject({
  name: v.pipe(v.string(), v.regex(DOMAIN_NAME, 'Expected a name such as api.example.com.')),
  /** In the region of the API. */
  certificateArn: v.pipe(
    v.string(),
    v.regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, 'Expected the ARN of a certificate.'),
  ),
});

/** CloudFront takes firewalls and certificates of us-east-1, wherever the API is. */
const webAclArn = v.pipe(
  v.string(),
  v.regex(
    /^arn:[\w-]+:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
    'Expected the ARN of a web ACL for CloudFront.',
  ),
);

const secretName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,20}$/, 'Expected a name of letters and digits.'));

const firewall = v.strictObject({
  webAclArn,
  /** For the domain of the stage. */
  certificateArn: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
        'Expected the ARN of a certificate of us-east-1.',
      ),
    ),
  ),
  /** Whether functions refuse what did not come through CloudFront, which must be in use by then. */
  isEnforced: v.optional(v.boolean(), false),
  /** Names of the secrets that functions accept. CloudFront sends the first. */
  secrets: v.optional(
    v.pipe(
      v.tupleWithRest([secretName], secretName),
      v.check((names) => new Set(names).size === names.length, 'Expected each name once.'),
    ),
    ['first'],
  ),
});

/** API Gateway lets no more through to an account until AWS raises its quotas. */
const MOST_REQUESTS_PER_SECOND = 10_000;
const MOST_BURST_REQUESTS = 5_000;

/** DynamoDB's default for a new on-demand table, and its minimum. */
const FREE_WARM_READ_UNITS = 12_000;
const FREE_WARM_WRITE_UNITS = 4_000;

/**
 * Over all partitions; one partition key has 3,000 read and 1,000 write units at most. AWS charges once for each added
 * unit, and takes none back. The indexes keep the default.
 */
const warmThroughput = v.strictObject({
  readUnitsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(FREE_WARM_READ_UNITS)),
  writeUnitsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(FREE_WARM_WRITE_UNITS)),
});

/** As far as a table can go back by itself, and as long as AWS Backup keeps anything. */
const LEAST_KEPT_DAYS = 35;
const MOST_KEPT_DAYS = 36_500;

const VAULT_ARN = /^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:[\w-]{2,50}$/;

/** AWS Backup leaves nothing in cold storage for less. */
const LEAST_COLD_DAYS = 90;

const days = v.pipe(v.number(), v.integer(), v.minValue(1));

const backups = v.pipe(
  v.strictObject({
    /** A vault of another account, or of another region. */
    copyTo: v.pipe(
      v.string(),
      v.check((arn) => VAULT_ARN.test(arn) && isRegion(regionOf(arn)), 'Expected the ARN of a backup vault.'),
    ),
    /** How long that vault keeps a copy. */
    keptDays: v.pipe(days, v.minValue(LEAST_KEPT_DAYS), v.maxValue(MOST_KEPT_DAYS)),
    /** From then on a copy costs less, and takes hours to come back. */
    coldAfterDays: v.optional(days),
  }),
  v.forward(
    v.partialCheck(
      [['keptDays'], ['coldAfterDays']],
      ({ keptDays, coldAfterDays }) => coldAfterDays === undefined || coldAfterDays + LEAST_COLD_DAYS <= keptDays,
      `Expected at least ${LEAST_COLD_DAYS} days less than keptDays.`,
    ),
    ['coldAfterDays'],
  ),
);

/** Strict, as all in it: a name that nobody reads is a mistake that nobody sees. */
const settingsSchema = v.strictObject({
  /** Alarms are only shown without one. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  /** A month of the whole account, in US dollars: mails `alarmEmail` above it. */
  monthlyBudgetDollars: v.pipe(number, v.minValue(1)),
  /** A higher level would drop the metrics, which are lines of level INFO. */
  logLevel: v.picklist(['DEBUG', 'INFO']),
  logRetentionDays: v.pipe(number, v.picklist(RETENTION_DAYS)),
  /** Pages that may call from a browser. Any origin is safe: a browser adds cookies by itself, but never keys. */
  allowedOrigins: v.array(v.union([v.literal('*'), origin])),
  /** Paths are put behind it. */
  remoteApiUrl: v.pipe(
    httpsUrl,
    v.check((text) => !text.endsWith('/'), 'Expected no slash at its end.'),
  ),
  /** The OpenID Connect issuer whose JWTs sign people in, and for whom they are (`infra/RUNBOOK.md`, "Sign-in"). */
  signIn: v.optional(v.strictObject({ issuer: httpsUrl, audience: v.pipe(v.string(), v.nonEmpty()) })),
  /** The table and the key outlive their stack, and refuse to be deleted. */
  protectsData: v.boolean(),
  /** Replaces the stack's own table (`infra/RUNBOOK.md`, "Restore"). */
  restoredTable: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{3,255}$/))),
  /** The ARN of the key that encrypted the provider tokens in that table, where its stack is gone. */
  restoredKey: v.optional(
    v.pipe(v.string(), v.regex(/^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/, 'Expected the ARN of a key.')),
  ),
  /** Monthly copies of the table for years, out of the account or region (`infra/RUNBOOK.md`, "Backups for years"). */
  backups: v.optional(backups),
  /** For a foreseeable rush: an import takes about 4 write units a row (`infra/RUNBOOK.md`, "Warm throughput"). */
  warmThroughput: v.optional(warmThroughput),
  /** How many functions the account may run at once: `npm run deploy` says it. An alarm rings before they all run. */
  accountConcurrency: v.pipe(number, v.integer(), v.minValue(10)),
  /** Functions that are slow by nature have a concurrency of their own, which a new account may not grant. */
  reservesConcurrency: v.boolean(),
  /** How many workers a queue runs at once, where it is not as many as `shared/queues.ts` says. */
  workers: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1_000)))),
  /** Calls the functions that people wait for every five minutes (`infra/RUNBOOK.md`, "Warm functions"). */
  keepsFunctionsWarm: v.boolean(),
  /** The limit of the whole API, to protect the account's Lambda concurrency. */
  requestsPerSecond: v.pipe(number, v.integer(), v.minValue(1), v.maxValue(MOST_REQUESTS_PER_SECOND)),
  burstRequests: v.pipe(number, v.integer(), v.minValue(1), v.maxValue(MOST_BURST_REQUESTS)),
  domain: v.optional(customDomain),
  /** CloudFront with this firewall in front of the API (`infra/RUNBOOK.md`, "A firewall"). */
  firewall: v.optional(firewall),
});

/** Stands for an empty list, which a parameter of a stack cannot be. No page can have this origin (RFC 2606, 2). */
export const NO_ORIGIN = 'https://none.invalid';

type Settings = v.InferOutput<typeof settingsSchema>;

export const STAGES = ['dev', 'staging', 'production'] as const;

export type Stage = (typeof STAGES)[number];

const HARVEST_URL = 'https://api.harvestapp.com';

const SETTINGS: Readonly<Record<Stage, Settings>> = {
  /** For one developer: leaves nothing behind when it is destroyed. */
  dev: {
    monthlyBudgetDollars: 20,
    logLevel: 'DEBUG',
    logRetentionDays: 7,
    allowedOrigins: ['*'],
    remoteApiUrl: HARVEST_URL,
    protectsData: false,
    accountConcurrency: 1_000,
    reservesConcurrency: false,
    /**
     * Few, for the ten functions of a new account. Webhooks have as many workers as elsewhere, or those whose receivers
     * hang would delay the others. Where more than ten are at work in such an account, some wait, and requests are refused.
     */
    workers: { imports: 2, syncs: 2, deletions: 2 },
    keepsFunctionsWarm: false,
    requestsPerSecond: 20,
    burstRequests: 40,
  },
  /** Like production, for fewer callers. */
  staging: {
    monthlyBudgetDollars: 50,
    logLevel: 'INFO',
    logRetentionDays: 14,
    allowedOrigins: ['*'],
    remoteApiUrl: HARVEST_URL,
    protectsData: true,
    accountConcurrency: 1_000,
    reservesConcurrency: true,
    keepsFunctionsWarm: false,
    requestsPerSecond: 100,
    burstRequests: 200,
  },
  production: {
    monthlyBudgetDollars: 300,
    logLevel: 'INFO',
    logRetentionDays: 30,
    allowedOrigins: [],
    remoteApiUrl: HARVEST_URL,
    protectsData: true,
    accountConcurrency: 1_000,
    reservesConcurrency: true,
    keepsFunctionsWarm: false,
    requestsPerSecond: 500,
    burstRequests: 1_000,
  },
};

export interface Config extends Settings {
  readonly stage: Stage;
  /** `billwright`, or `billwright-<stage>`: every name begins with it. */
  readonly prefix: string;
}

const stageSchema = v.optional(v.picklist(STAGES), 'production');

/**
 * @param contextOf the CDK context by name
 * @throws Error of one line, which names each wrong setting
 */
export function readConfig(contextOf: (name: string) => unknown): Config {
  const { stage } = parse(v.object({ stage: stageSchema }), { stage: contextOf('stage') ?? undefined });
  const given = Object.fromEntries(
    Object.keys(settingsSchema.entries)
      .map((name) => [name, contextOf(name) ?? undefined])
      .filter(([, value]) => value !== undefined),
  );
  return { ...parse(settingsSchema, { ...SETTINGS[stage], ...given }), stage, prefix: prefixOf(stage) };
}

/** @throws Error of one line, which names what is neither a setting nor, as it is no single word, of CDK */
export function assertSettings(names: readonly string[]): void {
  const known = ['stage', ...Object.keys(settingsSchema.entries)];
  const unknown = names.filter((name) => /^\w+$/.test(name) && !known.includes(name));
  if (unknown.length > 0) throw wrong(unknown.map((name) => `${name}: There is no such setting.`));
}

/** Several stages can share one account. */
export function prefixOf(stage: Stage): string {
  return stage === 'production' ? 'billwright' : `billwright-${stage}`;
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw wrong(result.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`));
}

function wrong(complaints: readonly string[]): Error {
  return new Error(`The settings of the stage are wrong. ${complaints.join('; ')}`);
}

/** Lambda keeps them for functions without a concurrency of their own, and refuses to reserve more. */
const LEAST_UNRESERVED = 10;

/** Each request takes a tenth of a second, including the wait for the table. */
const REQUESTS_PER_SECOND_OF_A_FUNCTION = 10;

/**
 * How many functions of a stage run at once, where everything that it lets through is there. A stage that reserves nothing
 * makes do with less: workers wait.
 */
export function neededConcurrency(config: Config, tables: Tables) {
  const { reservesConcurrency, requestsPerSecond } = config;
  const reserved = reservesConcurrency ? sum(functionsOf(tables).map(({ ownConcurrency = 0 }) => ownConcurrency)) : 0;
  const workers = sum(
    tables.queues.map((queue) => workersOf(config, queue) + (queue.deadLetterWorker ? LEAST_WORKERS : 0)),
  );
  const requests = Math.ceil(requestsPerSecond / REQUESTS_PER_SECOND_OF_A_FUNCTION);
  const unreserved = reservesConcurrency ? workers + requests : 0;
  return { reserved, workers, requests, all: reserved + Math.max(LEAST_UNRESERVED, unreserved) };
}

export function workersOf({ workers }: Config, { name, maximumConcurrency }: QueueDefinition): number {
  return workers?.[name] ?? maximumConcurrency;
}

/** @throws Error of one line, which names each setting that these functions and queues cannot work with */
export function assertSuitable(config: Config, tables: Tables): void {
  const { accountConcurrency, workers = {}, domain, firewall } = config;
  const queueNames = tables.queues.map(({ name }) => name);
  const complaints = Object.keys(workers)
    .filter((name) => !queueNames.includes(name))
    .map((name) => `workers.${name}: There is no such queue.`);
  const needed = neededConcurrency(config, tables);
  if (accountConcurrency < needed.all) {
    complaints.push(
      `accountConcurrency: Expected >=${needed.all}: ${needed.reserved} are reserved, workers take up to ${needed.workers}, and requests ${needed.requests}.`,
    );
  }
  if (domain && firewall && !firewall.certificateArn) {
    complaints.push('firewall.certificateArn: Expected one for the domain.');
  }
  if (complaints.length > 0) throw wrong(complaints);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** @throws Error of one line, for a region that there is not, or where settings name things of another */
export function assertRegion({ domain, restoredKey }: Config, region: string): void {
  if (!isRegion(region)) {
    throw new Error(`AWS_REGION: "${region}" is no region of AWS.`);
  }
  const elsewhere = Object.entries({ 'domain.certificateArn': domain?.certificateArn, restoredKey })
    .map(([setting, arn]) => [setting, regionOf(arn)])
    .find(([, its = region]) => its !== region);
  if (elsewhere) throw new Error(`${elsewhere[0]}: is in ${elsewhere[1]}, and the stage is deployed to ${region}.`);
}

/** @throws Error of one line, where a setting names a thing of another account, or copies would be lost with the table */
export function assertAccount({ domain, firewall, backups }: Config, region: string, account: string): void {
  const elsewhere = Object.entries({
    'domain.certificateArn': domain?.certificateArn,
    'firewall.webAclArn': firewall?.webAclArn,
    'firewall.certificateArn': firewall?.certificateArn,
  })
    .map(([setting, arn]) => [setting, accountOf(arn)])
    .find(([, its = account]) => its !== account);
  if (elsewhere) {
    throw new Error(`${elsewhere[0]}: is of account ${elsewhere[1]}, and the stage is deployed to ${account}.`);
  }
  const { copyTo } = backups ?? {};
  if (regionOf(copyTo) !== region || accountOf(copyTo) !== account) return;
  throw new Error('backups.copyTo: is in the account and the region of the stage, and has to be in another one.');
}

function isRegion(region: string | undefined): boolean {
  return RegionInfo.regions.some(({ name }) => name === region);
}

function regionOf(arn: string | undefined): string | undefined {
  return arn?.split(':')[3];
}

function accountOf(arn: string | undefined): string | undefined {
  return arn?.split(':')[4];
}
