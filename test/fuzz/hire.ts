import { seed } from '#scripts/bench/seed.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { given, type User } from '#test/support/given.ts';
import { Actor } from './actor.ts';
import { DAYS } from './workplace.ts';

/** More than a transaction holds: an invoice of all of them is made in steps. */
const OLD_ENTRIES = 160;

/** Users of one organization, with what they work with. */
const PAST = { projects: 50, clients: 10, entriesPerDay: 500, until: '2026-12-01' };

/** Each client has worked for it in each project on each day. */
async function bookPast(founder: User, entries: number): Promise<void> {
  const { projects, clients, entriesPerDay, until } = PAST;
  const clientIds: string[] = [];
  for (let i = 0; i < clients; i++) clientIds.push((await given.client(founder)).id);
  const owner = { organizationId: founder.organization.id, userId: founder.userId };
  const days = Math.ceil(entries / entriesPerDay);
  await seed({ ...owner, entries, days, until, projects, clientIds, isForAnyClient: true });
}

/** @param past how many entries the organization has already, of days of hundreds of cells */
export async function hire(count: number, luck: number, past = 0): Promise<Actor[]> {
  const founder = await given.user();
  await given.connection(founder);
  const [client, other] = [await given.client(founder), await given.client(founder)];
  const projects = [
    await given.project(founder, { rate: 50, billable: true }),
    await given.project(founder, { clientId: client.id, rate: 60, currency: 'JPY' }),
  ];
  const old = await given.project(founder, { clientId: other.id, rate: 60 });
  await bookEntries(founder, old, OLD_ENTRIES, DAYS);
  if (past > 0) await bookPast(founder, past);
  const workplace = { projectIds: projects.map(({ id }) => id), clientIds: [client.id, other.id] };
  const { organization } = founder;
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const [by, hermit] = [await given.user({ organization }), await given.user()];
      return new Actor(`u${i}`, luck + i, { by, hermit, account: await given.remoteAccount(), workplace });
    }),
  );
}
