import type { Decimal } from '#shared/domain/money.ts';
import type { Violation } from '#shared/domain/problems.ts';
import { billedMinutesOf } from '#shared/domain/time-rounding.ts';
import { type OrganizationRule, ruleFor } from '#shared/domain/tracker/entry.ts';
import { type ProjectTerms, priceOf, type UserRate } from '#shared/domain/tracker/project-terms.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { IdentifiedRow } from './row.ts';

/** The id of each remote name; null or missing: none. */
export interface Mappings {
  readonly clients: ReadonlyMap<string, string | null>;
  readonly projects: ReadonlyMap<string, string | null>;
  readonly users: ReadonlyMap<string, string | null>;
}

/** As callers name them. */
export interface SentMappings {
  readonly clientMapping: Mappings['clients'];
  readonly projectMapping: Mappings['projects'];
  readonly userMapping: Mappings['users'];
}

export function mappingsOf({ clientMapping, projectMapping, userMapping }: SentMappings): Mappings {
  return { clients: clientMapping, projects: projectMapping, users: userMapping };
}

export interface MappedObjects {
  readonly clients: ReadonlyMap<string, unknown>;
  readonly projects: ReadonlyMap<string, ProjectTerms>;
  readonly users: ReadonlyMap<string, { readonly isActive: boolean }>;
}

export interface PlannedRow {
  readonly entryId: string;
  readonly content: string;
  readonly externalId: string | null;
  readonly date: IsoDate;
  readonly durationMinutes: number;
  /** Where they are others. */
  readonly billedMinutes?: number;
  readonly description: string;
  readonly client: string | null;
  readonly user: string | null;
  readonly billable: boolean;
  readonly rate: Decimal | null;
  readonly currency: string;
  readonly clientId: string | null;
  readonly projectId: string | null;
  readonly tags: readonly string[];
  /** Null: whoever imports the row. */
  readonly userId: string | null;
  /** Of the project, for a row without a rate and without a user. */
  readonly userRates?: readonly UserRate[];
  /** When it was held back before, if it was. */
  readonly heldBackAt?: string;
}

interface Refusal {
  /** Mappings first, then rows, each in their order. */
  readonly violations: readonly Violation[];
  readonly invalidRows: number;
}

export function brokenRules(rows: readonly IdentifiedRow[], mappings: Mappings, mapped: MappedObjects): Refusal {
  const ofRows = rows.map((row, position) => rowViolations(row, `rows.${position}`, mappings, mapped));
  return {
    violations: [
      ...missingTargets('clientMapping', mappings.clients, (id) => mapped.clients.has(id)),
      ...missingTargets('projectMapping', mappings.projects, (id) => mapped.projects.has(id)),
      ...missingTargets('userMapping', mappings.users, (id) => isActive(id, mapped)),
      ...ofRows.flat(),
    ],
    invalidRows: ofRows.filter(({ length }) => length > 0).length,
  };
}

function missingTargets(
  path: string,
  mapping: ReadonlyMap<string, string | null>,
  isKnown: (id: string) => boolean,
): Violation[] {
  const missing = [...mapping].filter(([, id]) => id !== null && !isKnown(id));
  return missing.map(([name]) => ({ path: `${path}.${name}`, message: NOT_OWNED, code: 'reference_not_found' }));
}

const isActive = (userId: string, { users }: MappedObjects): boolean => users.get(userId)?.isActive === true;

const NOT_OWNED = 'The organization has nothing with this id.';

function rowViolations(row: IdentifiedRow, path: string, mappings: Mappings, mapped: MappedObjects): Violation[] {
  const { clientId, projectId, userId } = targetsOf(row, mappings);
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
  if (userId !== null && !isActive(userId, mapped)) {
    violations.push({ path: `${path}.user`, message: NOT_OWNED, code: 'reference_not_found' });
  }
  return violations;
}

const OTHER_CLIENT = 'The mapped project belongs to another client than the mapped one.';

function isOfClient(project: ProjectTerms, clientId: string): boolean {
  return project.clientId === null || project.clientId === clientId;
}

function targetsOf({ client, project, user }: IdentifiedRow, { clients, projects, users }: Mappings) {
  return {
    clientId: (client === null ? null : clients.get(client)) ?? null,
    projectId: (project === null ? null : projects.get(project)) ?? null,
    userId: (user === null ? null : users.get(user)) ?? null,
  };
}

export function planRow(
  row: IdentifiedRow,
  mappings: Mappings,
  projects: MappedObjects['projects'],
  organizationCurrency: string,
  organization: OrganizationRule = {},
): PlannedRow {
  const { clientId, projectId, userId } = targetsOf(row, mappings);
  const project = (projectId === null ? null : projects.get(projectId)) ?? null;
  const { entryId, content, externalId, date, durationMinutes, description, client, user, billable, tags } = row;
  const billedMinutes = billedMinutesOf(row, ruleFor(project, organization));
  return {
    entryId,
    content,
    externalId,
    date,
    durationMinutes,
    ...(billedMinutes !== durationMinutes && { billedMinutes }),
    description,
    client,
    user,
    billable,
    ...rowPrice(row, userId, project, organizationCurrency),
    clientId: clientId ?? project?.clientId ?? null,
    projectId: project?.id ?? null,
    tags,
    userId,
  };
}

/** Without a rate, the organization's currency counts as none: the project's rate applies in any. */
function rowPrice(
  { rate, currency }: IdentifiedRow,
  userId: string | null,
  project: ProjectTerms | null,
  organizationCurrency: string,
) {
  const isPriced = rate !== null || (currency !== null && currency !== organizationCurrency);
  const wanted = {
    rate: rate ?? undefined,
    currency: isPriced ? (currency ?? organizationCurrency) : undefined,
  };
  const price = priceOf(wanted, project, organizationCurrency, userId);
  const isOfUser = userId === null && rate === null && price.currency === project?.currency;
  return isOfUser && project.userRates?.length ? { ...price, userRates: project.userRates } : price;
}

export function withoutDeletedLinks(row: PlannedRow, mapped: Pick<MappedObjects, 'clients' | 'projects'>): PlannedRow {
  const isGone = (id: string | null, known: ReadonlyMap<string, unknown>) => id !== null && !known.has(id);
  return {
    ...row,
    clientId: isGone(row.clientId, mapped.clients) ? null : row.clientId,
    projectId: isGone(row.projectId, mapped.projects) ? null : row.projectId,
  };
}
