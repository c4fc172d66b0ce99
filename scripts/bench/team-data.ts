import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Caller, callerOf } from './caller.ts';
import type { Effort } from './effort.ts';

/** A team: many users of one organization, with years of work in many projects for some clients. */

export interface TeamPlan {
  readonly entries: number;
  readonly days: number;
  readonly clients: number;
  /** If every project has work for every client, a day has a cell for each pair of them. */
  readonly isForAnyClient?: boolean;
  /** `YYYY-MM-DD`, the day after the last one */
  readonly until: string;
}

const USERS = 20;
export const PROJECTS = 50;
export const PRODUCTS = 1_000;

const TEAM: TeamPlan = { entries: 100_000, days: 1_000, clients: 20, until: '2026-01-01' };

export const TEAM_OF: Readonly<Record<Effort, TeamPlan>> = {
  sample: { ...TEAM, entries: 10_000, days: 100, until: '2025-08-01' },
  full: TEAM,
};

/** @returns the users, each with a key of its own */
export async function makeTeam(cloud: Cloud, { clients, ...plan }: TeamPlan): Promise<[Caller, ...Caller[]]> {
  const { seed, seedProducts } = await import('./seed.ts');
  const organizationId = uuidV7();
  const [userId, ...others] = [uuidV7(), ...Array.from({ length: USERS - 1 }, () => uuidV7())] as const;
  const owner = { organizationId, userId };
  const clientIds = await makeClients(organizationId, clients);
  const projects = await seed({ ...owner, ...plan, projects: PROJECTS, userIds: [userId, ...others], clientIds });
  await seedProducts({ ...owner, products: PRODUCTS, description: 'By the hour' });
  const projectIds = projects.map(({ id }) => id);
  const caller = (id: string) => callerOf(cloud, { organizationId, userId: id, projectIds });
  return [await caller(userId), ...(await Promise.all(others.map(caller)))];
}

async function makeClients(organizationId: string, count: number): Promise<string[]> {
  const { insertClient } = await import('#shared/data/clients/clients.ts');
  const { newClient } = await import('#shared/domain/clients/client.ts');
  const clients = Array.from({ length: count }, (_, i) =>
    newClient({ name: `Client ${i + 1}` }, organizationId, uuidV7(), new Date()),
  );
  for (const client of clients) await insertClient(client);
  return clients.map(({ id }) => id);
}
