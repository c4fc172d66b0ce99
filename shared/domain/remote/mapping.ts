import { fold } from '#shared/domain/text.ts';
import type { Mappings } from './import-plan.ts';
import type { RemoteRow } from './row.ts';

/** Scheduled syncs import by such mappings without a human check, so they must be beyond doubt. */

interface Named {
  readonly id: string;
  readonly name: string;
}

interface NamedProject extends Named {
  readonly clientId: string | null;
}

export interface ConfidentMappings {
  readonly clientMapping: ReadonlyMap<string, string>;
  readonly projectMapping: ReadonlyMap<string, string>;
  readonly userMapping: ReadonlyMap<string, string>;
  readonly unmappedClients: readonly string[];
  readonly unmappedProjects: readonly string[];
  readonly unmappedUsers: readonly string[];
}

interface Targets {
  readonly clients: readonly Named[];
  readonly projects: readonly NamedProject[];
  /** The active ones. */
  readonly users: readonly Named[];
}

type NamingRow = Pick<RemoteRow, 'client' | 'project' | 'user'>;

/** A match was confirmed before, or has the only equal name. A name may be confirmed as standing for nothing. */
export function confidentMappings(
  rows: readonly NamingRow[],
  remembered: Mappings,
  { clients, projects, users }: Targets,
): ConfidentMappings {
  const names = remoteNames(rows);
  const clientMapping = matches(names.clients, remembered.clients, clients);
  const found = matches(names.projects, remembered.projects, projects);
  const projectMapping = withoutForeign(found, rows, clientMapping, { remembered: remembered.projects, projects });
  const userMapping = matches(names.users, remembered.users, users);
  return {
    clientMapping,
    projectMapping,
    userMapping,
    unmappedClients: names.clients.filter((name) => !clientMapping.has(name)),
    unmappedProjects: names.projects.filter((name) => !projectMapping.has(name)),
    unmappedUsers: names.users.filter((name) => !userMapping.has(name)),
  };
}

/** Everybody chooses their own name, so a sync that booked by the names of users would let them take over hours. */
export function syncMappings(...known: Parameters<typeof confidentMappings>): Mappings {
  const [, remembered] = known;
  const { clientMapping, projectMapping, userMapping } = confidentMappings(...known);
  const confirmed = [...userMapping].filter(([name, id]) => remembered.users.get(name) === id);
  return { clients: clientMapping, projects: projectMapping, users: new Map(confirmed) };
}

export function remoteNames(rows: readonly NamingRow[]) {
  const distinct = (names: readonly (string | null)[]) => [...new Set(names.filter((name) => name !== null))];
  return {
    clients: distinct(rows.map(({ client }) => client)),
    projects: distinct(rows.map(({ project }) => project)),
    users: distinct(rows.map(({ user }) => user)),
  };
}

function matches(
  names: readonly string[],
  remembered: ReadonlyMap<string, string | null>,
  targets: readonly Named[],
): Map<string, string> {
  const ids = new Set(targets.map(({ id }) => id));
  const findByName = finder(names, targets);
  const idOf = (name: string): string | null | undefined => {
    const confirmed = remembered.get(name);
    return confirmed === null || (confirmed !== undefined && ids.has(confirmed)) ? confirmed : findByName(name);
  };
  return new Map(
    names.flatMap((name) => {
      const id = idOf(name);
      return id ? [[name, id] as const] : [];
    }),
  );
}

/** An exact match wins over one after folding. */
function finder(names: readonly string[], targets: readonly Named[]): (name: string) => string | undefined {
  const written = Map.groupBy(targets, ({ name }) => name);
  const folded = Map.groupBy(targets, ({ name }) => foldName(name));
  const rivals = Map.groupBy(names, foldName);
  return (name) => {
    const alike = written.get(name);
    if (alike) return only(alike)?.id;
    const key = foldName(name);
    return key !== '' && only(rivals.get(key)) !== undefined ? only(folded.get(key))?.id : undefined;
  };
}

function only<Item>(items: readonly Item[] = []): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

/** Ignores case, space, punctuation and form: `ＡＣＭＥ, Inc.` equals `acme inc`. */
export function foldName(name: string): string {
  // Removing characters changes how marks compose, so the text is normalized afterwards.
  const bare = name.normalize('NFKD').replace(/[\s\p{Z}\p{P}\p{Cf}]+/gu, '');
  return fold(bare.normalize('NFKC')).normalize('NFKC');
}

interface KnownProjects {
  readonly remembered: ReadonlyMap<string, string | null>;
  readonly projects: readonly NamedProject[];
}

/** Drops projects of another client. Under an unmapped client a project must be confirmed: others may have its name. */
function withoutForeign(
  mapping: ReadonlyMap<string, string>,
  rows: readonly Pick<RemoteRow, 'client' | 'project'>[],
  clientMapping: ReadonlyMap<string, string>,
  { remembered, projects }: KnownProjects,
): Map<string, string> {
  const clientOf = new Map(projects.map(({ id, clientId }) => [id, clientId]));
  const kept = new Map(mapping);
  for (const { client, project } of rows) {
    const id = project === null ? undefined : mapping.get(project);
    const owner = id === undefined ? null : clientOf.get(id);
    if (project === null || client === null || !owner) continue;
    const isConfirmed = remembered.get(project) === id;
    const mapped = clientMapping.get(client);
    if (mapped === undefined ? !isConfirmed : mapped !== owner) kept.delete(project);
  }
  return kept;
}
