import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidV7 } from 'uuid';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { Cloud } from './cloud.ts';
import { PRIVATE_FILE_MODE } from './private-files.ts';

/** Makes the demo organization on the first start. @returns its key, which is shown once */
export async function createDemoOrganization(cloud: Cloud, dataDir: string): Promise<string | undefined> {
  const marker = join(dataDir, 'demo.json');
  if (existsSync(marker)) return undefined;
  // The data modules read the environment when they are loaded.
  Object.assign(process.env, cloud.operatorEnvironment);
  const { ensureOrganization } = await import('#shared/data/organization/organizations.ts');
  const { ensureUser } = await import('#shared/data/organization/users.ts');
  const { issueApiKey } = await import('#shared/data/keys/api-keys.ts');
  const organization = await ensureOrganization('Demo', 'USD');
  const user = await ensureUser(organization.id, 'Demo');
  const { id, apiKey } = await issueApiKey(
    {
      id: uuidV7(),
      name: 'Demo',
      organizationId: organization.id,
      userId: user.id,
      scopes: [...SCOPES],
      rateLimit: DEFAULT_RATE_LIMIT,
      expiresAt: null,
      createdByKeyId: null,
      currency: organization.currency,
    },
    new Date(),
  );
  writeFileSync(marker, JSON.stringify({ organizationId: organization.id, userId: user.id, apiKeyId: id }), {
    mode: PRIVATE_FILE_MODE,
  });
  return apiKey;
}
