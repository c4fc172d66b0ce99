import { fold } from '#shared/domain/text.ts';
import type { Mappings } from './import-plan.ts';
import type { RemoteRow } from './row.ts';

/**
 * Which clients and projects of the organization the names of remote rows stand for, as far as that is beyond
 * doubt. A scheduled sync imports by these mappings without a human check.
 */

interface Named {
  readonly id: string;
  readonly name: string;
}

interface NamedProject extends Named {
  readonly clientId: string | null;
}

/** Ids by remote name. The names that stand for nothing are in the order of the rows. */
export interface ConfidentMappings {
  readonly clientMapping: ReadonlyMap<string, string>;
  readonly projectMapping: ReadonlyMap<string, string>;
  readonly unmappedClients: readonly string[];
  readonly unmappedProjects: readonly string[];
}

/**
 * A match is confident if it was confirmed before, or if exactly one client or project has an equal name. A name
 * that was confirmed to stand for nothing still stands for nothing. If the confirmed object of a name is gone, the
 * name is matched again.
 *
 * @param remembered what was confirmed before
 * @param clients all clients of the organization
 * @param projects all projects of the organization
 */
export function confidentMappings(
  rows: readonly Pick<RemoteRow, 'client' | 'project'>[],
  remembered: Mappings,
  clients: readonly Named[],
  projects: readonly NamedProject[],
): ConfidentMappings {
  const names = remoteNames(rows);
  const clientMapping = matches(names.clients, remembered.clients, clients);
  const found = matches(names.projects, remembered.projects, projects);
  const projectMapping = withoutForeign(found, rows, clientMapping, { remembered: remembered.projects, projects });
  return {
    clientMapping,
    projectMapping,
    unmappedClients: names.clients.filter((name) => !clientMapping.has(name)),
    unmappedProjects: names.projects.filter((name) => !projectMapping.has(name)),
  };
}

/** The distinct names of rows, in their order. */
export function remoteNames(rows: readonly Pick<RemoteRow, 'client' | 'project'>[]) {
  const distinct = (names: readonly (string | null)[]) => [...new Set(names.filter((name) => name !== null))];
  return {
    clients: distinct(rows.map(({ client }) => client)),
    projects: distinct(rows.map(({ project }) => project)),
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

/** Finds what has the same name. An exact match comes before names that are equal only after folding. */
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

/** A name without case, space, punctuation and differences of mere form: `ＡＣＭＥ, Inc.` and `acme inc` become equal. */
export function foldName(name: string): string {
  // Removing characters changes which letter a mark follows, and so how the mark composes. So normalize after
  // removing.
  const bare = name.normalize('NFKD').replace(/[\s\p{Z}\p{P}\p{Cf}]+/gu, '');
  return fold(bare.normalize('NFKC')).normalize('NFKC');
}

interface KnownProjects {
  readonly remembered: ReadonlyMap<string, string | null>;
  readonly projects: readonly NamedProject[];
}

/**
 * Leaves out projects of a client other than the one that a row names. The remote client may be mapped to nothing.
 * Then the project must have been confirmed, because another client may have a project of the same name.
 */
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
