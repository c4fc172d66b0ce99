import * as v from 'valibot';
import { client as clientSchema } from '#shared/contract/clients/client.ts';
import type { createClient } from '#shared/contract/clients/create-client.ts';
import type { updateClient } from '#shared/contract/clients/update-client.ts';
import type { Body } from '#shared/contract/endpoint.ts';
import type { createEntry } from '#shared/contract/tracker/create-entry.ts';
import type { createProject } from '#shared/contract/tracker/create-project.ts';
import { entry as entrySchema } from '#shared/contract/tracker/entry.ts';
import { project as projectSchema } from '#shared/contract/tracker/project.ts';
import type { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import type { updateProject } from '#shared/contract/tracker/update-project.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import { type Client, newClient, reviseClient } from '#shared/domain/clients/client.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { notFound, Problem, referenceNotFound } from '#shared/domain/problems.ts';
import { fold } from '#shared/domain/text.ts';
import { assertNotInvoiced, type Entry, newEntry, reviseEntry } from '#shared/domain/tracker/entry.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { newProject, type Project, presentProject, reviseProject } from '#shared/domain/tracker/project.ts';
import { totalsOf } from '#test/support/bulk-entries.ts';
import type { Home } from '#test/support/given.ts';

/**
 * All that an organization has, as plain maps in memory: what the service has to show from the moment that it has answered a write. What a
 * deletion means is done at once to everything that it concerns, where the service leaves it to who reads.
 */

/** The service chooses these for something new or changed. */
export interface Told {
  readonly id: string;
  readonly at: Date;
}

export class Books {
  readonly organization: Home;
  readonly users: Directory['users'];
  readonly clients = new Map<string, Client>();
  readonly projects = new Map<string, Project>();
  readonly entries = new Map<string, Entry>();
  readonly invoices = new Map<string, Invoice>();
  readonly deletedEntries: string[] = [];
  /** By id. */
  readonly deletedNames = new Map<string, string>();

  constructor(organization: Home, users: Directory['users']) {
    this.organization = organization;
    this.users = users;
  }

  ownerOf(userId: string) {
    return { organizationId: this.organization.id, userId, currency: this.organization.currency };
  }

  /** Nothing in the books links to what is not there. The hold of an invoice has its id. */
  links() {
    const { projects, clients, deletedNames, users } = this;
    const holds: Holds = new Map([...this.invoices.keys()].map((id) => [id, { id, invoiceId: id, except: new Set() }]));
    return { projects, clients, deletedNames, users, holds, lockedThrough: null };
  }

  createEntry(userId: string, body: Body<typeof createEntry>, { id, at }: Told): unknown {
    const project = linked(this.projects, body.projectId, 'projectId');
    linked(this.clients, body.clientId, 'clientId');
    return this.#keepEntry(newEntry(body, project, this.ownerOf(userId), id, at));
  }

  changeEntry(id: string, body: Body<typeof updateEntry>, { at }: Told): unknown {
    const entry = found(this.entries, id);
    assertNotInvoiced(entry, this.links().holds);
    const { projectId = entry.projectId } = body;
    const project = linked(this.projects, projectId, 'projectId');
    linked(this.clients, body.clientId, 'clientId');
    return this.#keepEntry(reviseEntry(entry, body, project, at));
  }

  deleteEntry(id: string): void {
    assertNotInvoiced(found(this.entries, id), this.links().holds);
    this.entries.delete(id);
    this.deletedEntries.push(id);
  }

  #keepEntry(entry: Entry): unknown {
    this.entries.set(entry.id, entry);
    return this.showEntry(entry);
  }

  showEntry(entry: Entry): unknown {
    return v.parse(entrySchema, presentEntry(entry, this.links()));
  }

  createClient(body: Body<typeof createClient>, { id, at }: Told): unknown {
    return this.#keepClient(newClient(body, this.organization.id, id, at));
  }

  changeClient(id: string, body: Body<typeof updateClient>, { at }: Told): unknown {
    return this.#keepClient(reviseClient(found(this.clients, id), body, at));
  }

  /** Its entries keep its name, its projects nothing. */
  deleteClient(id: string): void {
    const { name } = found(this.clients, id);
    this.clients.delete(id);
    this.deletedNames.set(id, name);
    for (const entry of this.entries.values())
      if (entry.clientId === id) this.entries.set(entry.id, { ...entry, clientId: null, clientLabel: name });
    for (const project of this.projects.values())
      if (project.clientId === id) this.projects.set(project.id, { ...project, clientId: null });
  }

  #keepClient(client: Client): unknown {
    const isTaken = ({ id, externalId }: Client) => id !== client.id && externalId === client.externalId;
    if (client.externalId !== null && [...this.clients.values()].some(isTaken))
      throw new Problem('external_id_taken', { detail: 'It is so.' });
    this.clients.set(client.id, client);
    return this.showClient(client);
  }

  showClient(client: Client): unknown {
    return v.parse(clientSchema, client);
  }

  createProject(body: Body<typeof createProject>, { id, at }: Told): unknown {
    return this.#keepProject(newProject(body, this.ownerOf(''), id, at), body.clientId);
  }

  changeProject(id: string, body: Body<typeof updateProject>, { at }: Told): unknown {
    return this.#keepProject(reviseProject(found(this.projects, id), body, at), body.clientId);
  }

  deleteProject(id: string): void {
    const { name } = found(this.projects, id);
    this.projects.delete(id);
    this.deletedNames.set(id, name);
    for (const entry of this.entries.values())
      if (entry.projectId === id) this.entries.set(entry.id, { ...entry, projectId: null });
  }

  #keepProject(project: Project, clientId: string | null | undefined): unknown {
    const isTaken = ({ id, name }: Project) => id !== project.id && fold(name) === fold(project.name);
    if ([...this.projects.values()].some(isTaken)) throw new Problem('project_name_taken', { detail: 'It is so.' });
    linked(this.clients, clientId, 'clientId');
    this.projects.set(project.id, project);
    return this.showProject(project);
  }

  showProject(project: Project): unknown {
    const entries = [...this.entries.values()].filter(({ projectId }) => projectId === project.id);
    return v.parse(projectSchema, presentProject({ ...project, totals: totalsOf(entries) }));
  }
}

/** @throws Problem `not_found` */
export function found<Thing>(things: ReadonlyMap<string, Thing>, id: string): Thing {
  const thing = things.get(id);
  if (thing === undefined) throw notFound();
  return thing;
}

/** @throws Problem `reference_not_found` */
function linked<Thing>(things: ReadonlyMap<string, Thing>, id: string | null | undefined, path: string): Thing | null {
  if (id === null || id === undefined) return null;
  const thing = things.get(id);
  if (thing === undefined) throw referenceNotFound(path);
  return thing;
}
