import * as v from 'valibot';
import { nameText, trimmedText } from '#shared/contract/fields.ts';
import { foldEmail } from '#shared/domain/text.ts';
import { optionsOf, runCommand, wordsOf } from './command-line.ts';
import { connect } from './connect.ts';
import { isLocalIssuer, localIssuer } from './demo/issuer.ts';

/**
 * `npm run token`: signs a user in at the issuer of the local cloud (`DATA_DIR`), and prints the token; with `--json` also
 * when it expires, and the id of the organization, for `Billwright-Organization`.
 */

const USAGE =
  'Usage: npm run token -- --organization NAME --email ADDRESS [--name NAME] [--expires-in-seconds NUMBER, by default 3600] [--json]';

const MOST_SECONDS = 31_536_000;

const options = v.object({
  organization: nameText(100),
  email: trimmedText(254),
  name: v.optional(nameText(100)),
  'expires-in-seconds': v.optional(
    v.pipe(v.string(), v.transform(Number), v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_SECONDS)),
    '3600',
  ),
  json: v.optional(v.boolean(), false),
});

async function main(): Promise<string> {
  const { organization, email, name, 'expires-in-seconds': seconds, json } = given();
  connect(undefined);
  const dataDir = process.env.DATA_DIR || '.local';
  if (!isLocalIssuer(process.env.OIDC_ISSUER, dataDir)) {
    throw new Error(`People sign in at ${process.env.OIDC_ISSUER}, which alone signs their tokens.`);
  }
  const organizationId = await organizationOf(organization, email);
  const now = Math.floor(Date.now() / 1_000);
  const exp = now + seconds;
  const claims = { sub: foldEmail(email), email, email_verified: true, name, iat: now, exp };
  const token = localIssuer(dataDir).tokenOf(claims);
  return json ? JSON.stringify({ token, expiresAt: new Date(exp * 1_000).toISOString(), organizationId }) : token;
}

/** The organization that requests with the token name, if it has an active user with the email. */
async function organizationOf(organization: string, email: string): Promise<string> {
  const { openTable } = await import('./table-layout.ts');
  await openTable();
  const { findOrganization } = await import('#shared/data/organization/organizations.ts');
  const { readMatching } = await import('#shared/data/sign-in/memberships.ts');
  const found = await findOrganization(organization);
  if (!found) throw new Error(`There is no organization "${organization}".`);
  const [user] = await readMatching(email, found.id);
  if (!user) throw new Error(`The organization "${organization}" has no active user with the email ${email}.`);
  return found.id;
}

function given(): v.InferOutput<typeof options> {
  const typeOf = (option: string) => (option === 'json' ? 'boolean' : 'string');
  const names = Object.keys(options.entries).map((option) => [option, { type: typeOf(option) }] as const);
  return optionsOf(options, wordsOf({ options: Object.fromEntries(names) }).values);
}

await runCommand(USAGE, async () => console.log(await main()));
