import { bookEntries } from '#test/support/bulk-entries.ts';
import { given } from '#test/support/given.ts';
import { pickRounding } from '#test/support/rounding.ts';
import type { Crew } from './crew.ts';
import { Records } from './records.ts';
import { DAYS } from './vocabulary.ts';

export type Batch = readonly string[];

/** The things that all callers of a round work with, made before anything fails. */
export interface Scene {
  readonly crew: Crew;
  readonly records: Records;
  readonly clientId: string;
  /** In USD and in JPY; most time is billed of the first, so others find entries of the second free. */
  readonly projectIds: readonly [string, string];
  /** A client whose time is billed in steps, since a transaction does not hold all of it. */
  readonly oldClientId: string | undefined;
  /** Texts of rows that are imported together. */
  readonly batches: Batch[];
  /** Entries that are always on the same draft, whatever else comes and goes. */
  anchorIds: readonly string[];
}

/** How invoices are numbered: by the default as well. */
const FORMATS = ['INV-{n:6}', '{yyyy}-{n:4}', 'A{n}', '{mm}/{yy}-{n:2}'];

/** More than a transaction holds. */
const OLD_ENTRIES = 160;

export async function newScene(crew: Crew, hasOldEntries: boolean): Promise<Scene> {
  const [founder] = crew.users;
  const invoiceNumbering = { format: crew.dice.pick(FORMATS) };
  await founder.patch('/v1/organization', { invoiceNumbering });
  await given.connection(founder);
  const { id: clientId } = await given.client(founder);
  const project = (currency: string) =>
    given.project(founder, { clientId, rate: 60, billable: true, currency, rounding: pickRounding(crew.dice) });
  const projectIds = [(await project('USD')).id, (await project('JPY')).id] as const;
  const oldClientId = hasOldEntries ? await oldClient(crew) : undefined;
  return {
    crew,
    records: new Records(),
    clientId,
    projectIds,
    oldClientId,
    batches: [],
    anchorIds: [],
  };
}

async function oldClient({ users: [founder] }: Crew): Promise<string> {
  const client = await given.client(founder);
  const project = await given.project(founder, { clientId: client.id, rate: 60 });
  await bookEntries(founder, project, OLD_ENTRIES, DAYS);
  return client.id;
}
