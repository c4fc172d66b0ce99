import type { Violation } from '#shared/domain/problems.ts';
import { type ProjectTerms, priceOf } from '#shared/domain/tracker/project-terms.ts';
import type { IdentifiedRow } from './row.ts';

/** What reviewed rows are to become: the rules that they must keep, and their links and prices. */

/** The id in the organization that each remote name stands for. Null, or a missing name, means none. */
export interface Mappings {
  readonly clients: ReadonlyMap<string, string | null>;
  readonly projects: ReadonlyMap<string, string | null>;
}

/** The objects named by the mappings, as far as the organization has them. */
export interface MappedObjects {
  readonly clients: ReadonlyMap<string, unknown>;
  readonly projects: ReadonlyMap<string, ProjectTerms>;
}

/** A row with its links and price resolved: all that an entry needs. */
export interface PlannedRow {
  readonly entryId: string;
  readonly content: string;
  readonly externalId: string | null;
  readonly date: string;
  readonly durationMinutes: number;
  readonly description: string;
  /** The client's name at the provider, for an entry without a client. */
  readonly client: string | null;
  readonly billable: boolean;
  readonly rate: string | null;
  readonly currency: string;
  readonly clientId: string | null;
  readonly projectId: string | null;
}

interface Refusal {
  /** Mappings come first, then rows, each in their order. */
  readonly violations: readonly Violation[];
  readonly invalidRows: number;
}

/** The rules that rows and mappings break. Mapped objects must exist, and a project must belong to its row's client. */
export function brokenRules(rows: readonly IdentifiedRow[], mappings: Mappings, mapped: MappedObjects): Refusal {
  const ofRows = rows.map((row, position) => rowViolations(row, `rows.${position}`, mappings, mapped));
  return {
    violations: [
      ...missingTargets('clientMapping', mappings.clients, mapped.clients),
      ...missingTargets('projectMapping', mappings.projects, mapped.projects),
      ...ofRows.flat(),
    ],
    invalidRows: ofRows.filter(({ length }) => length > 0).length,
  };
}

function missingTargets(
  path: string,
  mapping: ReadonlyMap<string, string | null>,
  known: ReadonlyMap<string, unknown>,
): Violation[] {
  const missing = [...mapping].filter(([, id]) => id !== null && !known.has(id));
  return missing.map(([name]) => ({ path: `${path}.${name}`, message: NOT_OWNED, code: 'reference_not_found' }));
}

const NOT_OWNED = 'The organization has nothing with this id.';

function rowViolations(row: IdentifiedRow, path: string, mappings: Mappings, mapped: MappedObjects): Violation[] {
  const { clientId, projectId } = targetsOf(row, mappings);
  const project = projectId === null ? null : mapped.projects.get(projectId);
  const violations: Violation[] = [];
  if (clientId !== null && !mapped.clients.has(clientId)) {
    violations.push({ path: `${path}.client`, message: NOT_OWNED, code: 'reference_not_found' });
  }
  if (project === undefined) {
    violations.push({ path: `${path}.project`, message: NOT_OWNED, code: 'reference_not_found' });
  } else if (clientId !== null && project !== null && !isOfClient(project, clientId)) {
    violations.push({ path: `${path}.project`, message: OTHER_CLIENT, code: 'client_mismatch' });
  }
  return violations;
}

const OTHER_CLIENT = 'The mapped project belongs to another client than the mapped one.';

function isOfClient(project: ProjectTerms, clientId: string): boolean {
  return project.clientId === null || project.clientId === clientId;
}

function targetsOf({ client, project }: IdentifiedRow, { clients, projects }: Mappings) {
  return {
    clientId: (client === null ? null : clients.get(client)) ?? null,
    projectId: (project === null ? null : projects.get(project)) ?? null,
  };
}

/** Resolves the links and the price of a row. @param row a row that breaks no rule */
export function planRow(
  row: IdentifiedRow,
  mappings: Mappings,
  mapped: MappedObjects,
  organizationCurrency: string,
): PlannedRow {
  const { clientId, projectId } = targetsOf(row, mappings);
  const project = (projectId === null ? null : mapped.projects.get(projectId)) ?? null;
  const { entryId, content, externalId, date, durationMinutes, description, client, billable } = row;
  return {
    entryId,
    content,
    externalId,
    date,
    durationMinutes,
    description,
    client,
    billable,
    ...rowPrice(row, project, organizationCurrency),
    clientId: clientId ?? project?.clientId ?? null,
    projectId: project?.id ?? null,
  };
}

/**
 * A row without a rate takes the rate of the mapped project, as any entry does. A row with a rate but no currency
 * is in the organization's currency. A row without a rate may name the organization's currency: that counts as
 * naming none, because a preview fills it in where the provider knows no currency.
 */
function rowPrice({ rate, currency }: IdentifiedRow, project: ProjectTerms | null, organizationCurrency: string) {
  const isPriced = rate !== null || (currency !== null && currency !== organizationCurrency);
  const wanted = {
    rate: rate ?? undefined,
    currency: isPriced ? (currency ?? organizationCurrency) : undefined,
  };
  return priceOf(wanted, project, organizationCurrency);
}

/** The row without links to objects that were deleted since it was planned. */
export function withoutGone(row: PlannedRow, mapped: MappedObjects): PlannedRow {
  const isGone = (id: string | null, known: ReadonlyMap<string, unknown>) => id !== null && !known.has(id);
  return {
    ...row,
    clientId: isGone(row.clientId, mapped.clients) ? null : row.clientId,
    projectId: isGone(row.projectId, mapped.projects) ? null : row.projectId,
  };
}
