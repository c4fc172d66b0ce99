import { parseArgs } from 'node:util';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { currencyInput, text } from '#shared/contract/fields.ts';
import { expiryOf } from '#shared/domain/api-key.ts';
import { Problem } from '#shared/domain/problems.ts';
import { connect } from './connect.ts';

/**
 * `npm run keys -- create|list|revoke`: API keys for an operator. Works on the local cloud whose data is in `DATA_DIR`, or with
 * `--table NAME` and AWS credentials in the cloud. Prints JSON on standard output, and complaints on standard error.
 */

const USAGE = `Usage:
  npm run keys -- create --organization NAME --user NAME --scopes a,b [--name NAME] [--currency CODE] [--rate-limit N] [--expires-in-days N]
  npm run keys -- list [--organization NAME]
  npm run keys -- revoke ID
  Every command takes --table NAME, for the table of a deployed service.`;

class UsageError extends Error {}

const createOptions = v.object({
  organization: text(1, 100),
  user: text(1, 100),
  name: v.optional(text(1, 100), 'Command line'),
  scopes: v.pipe(
    v.string(),
    v.transform((list) => list.split(',').map((scope) => scope.trim())),
    createApiKey.body.entries.scopes,
  ),
  currency: v.optional(currencyInput, 'USD'),
  'rate-limit': v.optional(v.pipe(v.string(), v.transform(Number))),
  'expires-in-days': v.optional(v.pipe(v.string(), v.transform(Number))),
});

const numbers = v.object({
  rateLimit: createApiKey.body.entries.rateLimit,
  expiresInDays: createApiKey.body.entries.expiresInDays,
});

type Options = Readonly<Record<string, string | undefined>>;

async function create(options: Options): Promise<unknown> {
  const {
    organization: organizationName,
    user: userName,
    name,
    scopes,
    currency,
    ...rest
  } = parse(createOptions, options);
  const { rateLimit, expiresInDays } = parse(numbers, {
    rateLimit: rest['rate-limit'],
    expiresInDays: rest['expires-in-days'],
  });
  const { ensureOrganization, ensureUser } = await import('#shared/data/organizations.ts');
  const { issueApiKey } = await import('#shared/data/keys.ts');
  const organization = await ensureOrganization(organizationName, currency);
  const user = await ensureUser(organization.id, userName);
  const now = new Date();
  const issued = await issueApiKey(
    {
      id: uuidV7(),
      name,
      organizationId: organization.id,
      userId: user.id,
      scopes,
      rateLimit,
      expiresAt: expiryOf(expiresInDays, now),
      currency: organization.currency,
    },
    now,
  );
  const { apiKey, id, organizationId, userId } = issued;
  return { apiKey, id, organizationId, userId, scopes: issued.scopes };
}

async function list({ organization: wanted }: Options): Promise<unknown> {
  const { listOrganizations } = await import('#shared/data/organizations.ts');
  const { listApiKeys } = await import('#shared/data/keys.ts');
  const organizations = (await listOrganizations()).filter(({ name }) => wanted === undefined || name === wanted);
  const keys = [];
  for (const { id, name } of organizations) {
    keys.push(...(await listApiKeys(id)).map((key) => ({ organization: name, ...key })));
  }
  return keys;
}

async function revoke(id: string | undefined): Promise<unknown> {
  if (!id) throw new UsageError('revoke takes the id of a key.');
  const { getApiKey, organizationOfApiKey, revokeApiKey } = await import('#shared/data/keys.ts');
  await revokeApiKey(await getApiKey(await organizationOfApiKey(id), id));
  return { success: true, id };
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const complaints = result.issues.map((issue) => `--${v.getDotPath(issue)}: expected ${issue.expected}`);
  throw new UsageError(complaints.join('; '));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      organization: { type: 'string' },
      user: { type: 'string' },
      name: { type: 'string' },
      scopes: { type: 'string' },
      currency: { type: 'string' },
      'rate-limit': { type: 'string' },
      'expires-in-days': { type: 'string' },
      table: { type: 'string' },
    },
  });
  const [command, id] = positionals;
  const commands: Readonly<Record<string, () => Promise<unknown>>> = {
    create: () => create(values),
    list: () => list(values),
    revoke: () => revoke(id),
  };
  const run = commands[command ?? ''];
  if (!run) throw new UsageError('Say create, list or revoke.');
  connect(values.table);
  console.log(JSON.stringify(await run()));
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  const message =
    error instanceof Problem ? `No key has this id.` : error instanceof Error ? error.message : String(error);
  console.error(isUsage ? `${message}\n${USAGE}` : message);
  process.exitCode = 1;
}
