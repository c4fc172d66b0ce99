import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { DEMO_FILE, readDataFile } from '#scripts/local/data-files.ts';
import { writePrivateFile } from '#scripts/local/private-files.ts';
import { recordAsOperator } from '#scripts/record.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { newUser } from '#shared/domain/organization/users.ts';

const DEMO_USER = 'Demo';

export const DEMO_EMAIL = 'demo@example.com';

const demo = v.object({ organizationId: v.string(), userId: v.string(), apiKeyId: v.string() });

export interface Demo {
  readonly organizationName: string;
  readonly userName: string;
  /** On the first start, which alone shows it. */
  readonly apiKey?: string;
  /** @returns a key of this user, with every scope */
  readonly keyFor: (userName: string, expiresAt: string) => Promise<string>;
}

/** The demo organization, which the first start makes. */
export async function openDemo(cloud: Cloud, dataDir: string): Promise<Demo> {
  // The data modules read the environment when they are loaded.
  Object.assign(process.env, cloud.operatorEnvironment);
  const { ensureOrganization, readOrganization } = await import('#shared/data/organization/organizations.ts');
  const path = join(dataDir, DEMO_FILE);
  const made = existsSync(path) ? readDataFile(path, demo, 'it names no organization') : undefined;
  const organization = made ? await readOrganization(made.organizationId) : await ensureOrganization('Demo', 'USD');
  const keyFor = async (userName: string, expiresAt: string) =>
    (await issueDemoKey(organization, userName, expiresAt)).apiKey;
  const opened = { organizationName: organization.name, userName: DEMO_USER, keyFor };
  if (made) return opened;
  await ensureDemoUser(organization.id);
  const { id, userId, apiKey } = await issueDemoKey(organization, DEMO_USER, null);
  writePrivateFile(path, { organizationId: organization.id, userId, apiKeyId: id });
  return { ...opened, apiKey };
}

async function ensureDemoUser(organizationId: string): Promise<void> {
  const { findUser, insertUser } = await import('#shared/data/organization/users.ts');
  if (await findUser(organizationId, DEMO_USER)) return;
  const user = newUser({ name: DEMO_USER, email: DEMO_EMAIL, role: 'admin' }, uuidV7(), new Date());
  await insertUser(organizationId, user, '', await recordAsOperator(organizationId, happening('user.created', user)));
}

async function issueDemoKey(organization: { readonly id: string }, userName: string, expiresAt: string | null) {
  const { ensureUser } = await import('#shared/data/organization/users.ts');
  const { issueApiKey } = await import('#shared/data/keys/api-keys.ts');
  const user = await ensureUser(organization.id, userName, (made) =>
    recordAsOperator(organization.id, happening('user.created', made)),
  );
  return issueApiKey(
    {
      id: uuidV7(),
      name: userName,
      organizationId: organization.id,
      userId: user.id,
      scopes: [...SCOPES],
      rateLimit: DEFAULT_RATE_LIMIT,
      expiresAt,
      createdByKeyId: null,
    },
    new Date(),
    (issued) => recordAsOperator(organization.id, happening('api_key.created', issued)),
  );
}
