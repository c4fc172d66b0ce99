import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { currencyInput, nameText, uuid } from '#shared/contract/fields.ts';
import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { DEFAULT_RATE_LIMIT, expiryOf, type Principal } from '#shared/domain/keys/api-key.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { MAX_API_KEYS } from '#shared/domain/keys/roster.ts';
import { PLATFORM_SCOPES, SCOPES } from '#shared/domain/keys/scopes.ts';
import { notFound, Problem } from '#shared/domain/problems.ts';
import { optionsOf, runCommand, UsageError, wordsOf } from './command-line.ts';
import { connect } from './connect.ts';
import { keyTable, type ListedKey } from './key-table.ts';
import { recordAsOperator } from './record.ts';

/**
 * `npm run keys -- create|list|revoke`: API keys for an operator, of the local cloud (`DATA_DIR`) or with `--table
 * NAME` in the cloud.
 */

const USAGE = `Usage:
  npm run keys -- create --organization NAME --user NAME --scopes a,b|all [--name NAME] [--currency CODE] [--rate-limit N] [--expires-in-days N]
  npm run keys -- create --platform --scopes a,b|all [--name NAME] [--rate-limit N] [--expires-in-days N]
  npm run keys -- list [--organization NAME | --platform] [--json]
  npm run keys -- revoke ID
  Every command takes --table NAME, for the table of a deployed service.`;

type Words = Readonly<Record<string, string | undefined>>;

interface Command {
  readonly options: readonly string[];
  readonly operands: number;
  readonly run: (options: Words, operand: string | undefined) => Promise<unknown>;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'create',
    {
      options: ['platform', 'organization', 'user', 'scopes', 'name', 'currency', 'rate-limit', 'expires-in-days'],
      operands: 0,
      run: (words) => (words.platform ? createOfPlatform(words) : create(words)),
    },
  ],
  ['list', { options: ['organization', 'platform', 'json'], operands: 0, run: listed }],
  ['revoke', { options: [], operands: 1, run: revoke }],
]);

const { name, scopes, rateLimit, expiresInDays } = createApiKey.body.entries;

const organizationName = nameText(100);

const numeric = v.pipe(v.string(), v.transform(Number));

const scopeNames = (all: readonly string[]) =>
  v.pipe(
    v.string(),
    v.transform((list) => (list === 'all' ? all : list.split(',').map((scope) => scope.trim()))),
  );

const limits = {
  name: v.optional(name, 'Command line'),
  'rate-limit': v.optional(v.pipe(numeric, rateLimit.wrapped), String(DEFAULT_RATE_LIMIT)),
  'expires-in-days': v.optional(v.pipe(numeric, expiresInDays.wrapped)),
};

const createOptions = v.object({
  ...limits,
  organization: organizationName,
  user: nameText(100),
  scopes: v.pipe(scopeNames(SCOPES), scopes),
  currency: v.optional(currencyInput, 'USD'),
});

async function create(words: Words): Promise<unknown> {
  const options = optionsOf(createOptions, words);
  const table = await open(words.table);
  await table.sayLayout();
  const { ensureOrganization } = await import('#shared/data/organization/organizations.ts');
  const { ensureUser } = await import('#shared/data/organization/users.ts');
  const organization = await ensureOrganization(options.organization, options.currency);
  const user = await ensureUser(organization.id, options.user, (made) =>
    recordAsOperator(organization.id, happening('user.created', made)),
  );
  return issue(options, { organizationId: organization.id, userId: user.id });
}

const platformOptions = v.object({
  ...limits,
  scopes: v.pipe(scopeNames(PLATFORM_SCOPES), v.array(v.picklist(PLATFORM_SCOPES)), v.minLength(1)),
});

async function createOfPlatform(words: Words): Promise<unknown> {
  const misplaced = ['organization', 'user', 'currency'].filter((option) => words[option] !== undefined);
  if (misplaced.length > 0) throw new UsageError(`--platform does not go with --${misplaced.join(', --')}.`);
  const options = optionsOf(platformOptions, words);
  const table = await open(words.table);
  await table.sayLayout();
  const owner = { organizationId: PLATFORM_ID, userId: PLATFORM_ID };
  const issued = await issue({ ...options, scopes: [...new Set(options.scopes)] }, owner);
  return { ...issued, organizationId: null, userId: null };
}

type KeyOptions = v.InferOutput<typeof createOptions | typeof platformOptions>;

async function issue(options: KeyOptions, owner: Pick<Principal, 'organizationId' | 'userId'>) {
  const { issueApiKey } = await import('#shared/data/keys/api-keys.ts');
  const now = new Date();
  const { name, scopes } = options;
  const [rateLimit, expiresAt] = [options['rate-limit'], expiryOf(options['expires-in-days'], now)];
  const key = { id: uuidV7(), name, ...owner, scopes, rateLimit, expiresAt, createdByKeyId: null };
  const { apiKey, id } = await issueApiKey(key, now, (issued) =>
    recordAsOperator(owner.organizationId, happening('api_key.created', issued)),
  );
  return { apiKey, id, ...owner, scopes };
}

const listOptions = v.object({ organization: v.optional(organizationName) });

/** A table on a terminal. */
async function listed(words: Words): Promise<unknown> {
  const keys = await list(words);
  return words.json || !process.stdout.isTTY ? keys : keyTable(keys);
}

async function list(words: Words): Promise<readonly ListedKey[]> {
  if (words.platform) return listOfPlatform(words);
  const wanted = optionsOf(listOptions, words).organization;
  await open(words.table);
  const { findOrganization, listOrganizationNames } = await import('#shared/data/organization/organizations.ts');
  const { readApiKeys } = await import('#shared/data/keys/api-keys.ts');
  const found = wanted === undefined ? await listOrganizationNames() : await findOrganization(wanted);
  const page = { limit: MAX_API_KEYS, offset: 0 };
  const keys = await mapInParallel([found ?? []].flat(), async ({ id, name: organization }) =>
    (await readApiKeys(id, page, new Date())).items.map((key) => ({ organization, ...key })),
  );
  return keys.flat();
}

async function listOfPlatform({ table, organization }: Words): Promise<readonly ListedKey[]> {
  if (organization !== undefined) throw new UsageError('--platform does not go with --organization.');
  await open(table);
  const { readPlatformKeys } = await import('#shared/data/keys/api-keys.ts');
  return (await readPlatformKeys(new Date())).map((key) => ({ ...key, organizationId: null, userId: null }));
}

/** As over HTTP, a text that is not an id counts as an id that does not exist. */
async function revoke({ table }: Words, operand: string | undefined): Promise<unknown> {
  if (!operand) throw new UsageError('revoke takes the id of a key.');
  await open(table);
  if (!v.is(uuid, operand)) throw notFound();
  const id = operand.toLowerCase();
  const { getApiKey, organizationOfApiKey } = await import('#shared/data/keys/api-keys.ts');
  const { removeApiKey } = await import('#shared/data/keys/revocation.ts');
  const organizationId = await organizationOfApiKey(id);
  await removeApiKey(await getApiKey(organizationId, id), new Date(), (ended) =>
    recordAsOperator(organizationId, ...ended.map((key) => happening('api_key.revoked', key))),
  );
  return { success: true, id };
}

async function open(table: string | undefined) {
  connect(table);
  const { openTable } = await import('./table-layout.ts');
  return openTable();
}

async function main(): Promise<unknown> {
  const { options, positionals } = words();
  const [commandName = '', ...operands] = positionals;
  const command = commands.get(commandName);
  if (!command) throw new UsageError('Say create, list or revoke.');
  const surplus = [
    ...operands.slice(command.operands).map((operand) => `"${operand}"`),
    ...Object.keys(options)
      .filter((option) => option !== 'table' && !command.options.includes(option))
      .map((option) => `--${option}`),
  ];
  if (surplus.length > 0) throw new UsageError(`${commandName} does not take ${surplus.join(', ')}.`);
  return command.run(options, operands[0]);
}

/** Knows the options of all commands, to tell a misplaced option from a mistyped one. */
function words() {
  const known = ['table', ...[...commands.values()].flatMap(({ options }) => options)];
  const typeOf = (option: string) => (option === 'platform' || option === 'json' ? 'boolean' : 'string');
  const { values, positionals } = wordsOf({
    allowPositionals: true,
    options: Object.fromEntries(known.map((option) => [option, { type: typeOf(option) }])),
  });
  const options = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)]));
  return { options, positionals };
}

function explanation(error: unknown): string {
  if (error instanceof Problem && error.code === 'not_found') return 'No key has this id.';
  return error instanceof Error ? error.message || error.name : String(error);
}

async function print(): Promise<void> {
  const result = await main();
  console.log(typeof result === 'string' ? result : JSON.stringify(result));
}

await runCommand(USAGE, print, explanation);
