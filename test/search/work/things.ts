import { isOfPlatform } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import { requiredQueryOf } from '#test/support/resources.ts';
import { pickRounding } from '#test/support/rounding.ts';
import { stateOf, type Thing } from './records.ts';
import { Register } from './register.ts';
import type { Scene } from './scene.ts';
import { baseOf, CHANGE, DAYS, ENTRIES, INVOICES, KINDS, type Kind } from './vocabulary.ts';

/** Acts on resources that are made, changed and deleted alike, and on all that can be read. */

const FURNITURE: readonly Kind[] = ['product', 'client', 'project', 'key'];

export async function furnish(scene: Scene, by: User): Promise<void> {
  const { dice } = scene.crew;
  const existing = scene.records.found(...FURNITURE);
  if (existing.length < 2 || dice.chance(0.4)) return create(scene, by, dice.pick(FURNITURE));
  const [text, thing, id] = dice.pick(existing);
  if (dice.chance(0.3) || thing.kind === 'key') return remove(scene, by, thing, id);
  return change(scene, by, text, thing, id);
}

export function book(scene: Scene, by: User): Promise<void> {
  return create(scene, by, 'entry');
}

async function create(scene: Scene, by: User, kind: Kind): Promise<void> {
  const { crew, records } = scene;
  const text = crew.newText();
  const thing: Thing = { kind, register: new Register() };
  records.things.set(text, thing);
  const { path, mark } = KINDS[kind];
  const body = { [mark]: text, ...contentOf(scene, kind) };
  const sent = await crew.send(by, `create ${kind}`, 'POST', path, { body });
  thing.register.note(sent, text);
  if (sent.status === 201) thing.id = sent.body.data.id;
}

function contentOf(scene: Scene, kind: Kind): Json {
  const { clientId, crew, records } = scene;
  switch (kind) {
    case 'product':
      return { price: '19.90', sku: crew.newText() };
    case 'project':
      return {
        rate: 80,
        clientId: crew.dice.pick([clientId, ...records.found('client').map(([, , id]) => id), null]),
        rounding: pickRounding(crew.dice),
      };
    case 'key':
      return { scopes: ['products:read'] };
    case 'entry':
      return { ...work(scene), ...place(scene) };
    default:
      return {};
  }
}

function work({ crew: { dice } }: Scene) {
  return { durationMinutes: 1 + dice.below(500), billable: dice.chance(0.8), rate: dice.pick([20, 33.33]) };
}

/** Now and then another one, which changes no entry. */
function ruleOf({ crew: { dice } }: Scene, kind: Kind): Json {
  return kind === 'project' && dice.chance(0.5) ? { rounding: pickRounding(dice) } : {};
}

/** A day and a project. Most work is for the client whom all bill. */
function place({ crew: { dice }, records, projectIds }: Scene) {
  const others = [...records.found('project').map(([, , id]) => id), null];
  return { entryDate: dice.pick(DAYS), projectId: dice.pick(dice.chance(0.9) ? projectIds : others) };
}

/** Now and then as somebody changes it who clicks again, or who has read it before. */
async function change(scene: Scene, by: User, text: string, { kind, register }: Thing, id: string): Promise<void> {
  const { crew } = scene;
  const path = `${KINDS[kind].path}/${id}`;
  const changed = `${text}${CHANGE}${crew.newText()}`;
  const etag = crew.dice.chance(0.3) && (await crew.get(by, path)).headers.get('etag');
  const headers: Record<string, string> = etag ? { 'if-match': etag } : {};
  const isWork = kind === 'entry' || kind === 'row';
  const content = isWork ? { ...work(scene), ...(crew.dice.chance(0.5) && place(scene)) } : ruleOf(scene, kind);
  const body = { [KINDS[kind].mark]: changed, ...content };
  const clicks = crew.dice.pick([1, 1, 2]);
  const sent = await crew.clicks(clicks, () => crew.send(by, `change ${kind}`, 'PATCH', path, { body, headers }));
  for (const each of sent) register.note(each, stateOf({ kind, register }, changed));
  if (etag && sent.filter(({ status }) => status < 300).length > 1)
    crew.blame(`One tag of ${path} was good for two changes`);
}

async function remove({ crew }: Scene, by: User, { kind, register }: Thing, id: string): Promise<void> {
  register.note(await crew.send(by, `delete ${kind}`, 'DELETE', `${KINDS[kind].path}/${id}`), null);
}

/** An entry that was there when a list was last read, whether it still is or not. */
function anyEntry({ crew, records }: Scene) {
  const entries = records.found('entry', 'row');
  return entries.length > 0 ? crew.dice.pick(entries) : undefined;
}

export async function edit(scene: Scene, by: User, id?: string): Promise<void> {
  const entry = id ? scene.records.found('entry', 'row').find((each) => each[2] === id) : anyEntry(scene);
  if (entry) await change(scene, by, ...entry);
}

export async function removeEntry(scene: Scene, by: User): Promise<void> {
  const entry = anyEntry(scene);
  if (entry) await remove(scene, by, entry[1], entry[2]);
}

/** Entries that show as free, which tell the ids of those that imports have made. */
export async function readFree(scene: Scene, by: User): Promise<readonly Json[]> {
  const { anchorIds, clientId, crew, records } = scene;
  const query = { clientId, limit: 200, ...(crew.dice.chance(0.5) && { billingStatus: 'unbilled' }) };
  const { data = [] } = (await crew.get(by, ENTRIES, query)).body;
  for (const { id, description } of data) {
    const thing = records.things.get(baseOf(description));
    if (thing) thing.id = id;
  }
  const free = data.filter(({ billingStatus }: Json) => billingStatus === 'unbilled');
  if (free.some(({ id }: Json) => anchorIds.includes(id)))
    crew.blame('None of the entries that an invoice always has may ever show as free');
  return free;
}

/** Every GET that needs a key. */
const READS = routes.filter(({ method, scope }) => method === 'GET' && scope !== null && !isOfPlatform(scope));

/** Reads anything that there is. One thing has to be what it is known to be. */
export async function readAny(scene: Scene, by: User): Promise<void> {
  const { crew, records } = scene;
  const endpoint = crew.dice.pick(READS);
  const { operationId, path } = endpoint;
  const query = requiredQueryOf(endpoint);
  const [collection = '', one] = path.split('/{id}');
  if (one === undefined) {
    const { status, body } = await crew.get(by, path, query);
    // No scene has a logo.
    const isNoLogo = operationId === 'getLogo' && status === 404;
    if (status >= 400 && status < 500 && !isNoLogo) crew.blame(`${operationId}: ${status} ${body.code}`);
    return;
  }
  if (collection === INVOICES) return readInvoice(scene, by, path, query);
  const existing = records.found(...FURNITURE, 'entry').filter(([, { kind }]) => KINDS[kind].path === collection);
  if (existing.length === 0) return;
  const [, { kind, register }, id] = crew.dice.pick(existing);
  const sent = await crew.get(by, path.replace('{id}', id));
  if (sent.status === 404) register.see(sent, [null]);
  if (sent.status === 200) register.see(sent, [sent.body.data[KINDS[kind].mark]]);
}

/** As JSON, or as a file or its payments, which show that there is one. */
async function readInvoice({ crew, records }: Scene, by: User, path: string, query?: Json): Promise<void> {
  const existing = [...records.invoices.values()].filter(({ id }) => id !== undefined);
  if (existing.length === 0) return;
  const { id = '', status } = crew.dice.pick(existing);
  const sent = await crew.get(by, path.replace('{id}', id), query);
  if (sent.status === 404) status.see(sent, [null]);
  if (sent.status === 200) status.see(sent, sent.body.data?.status ? [sent.body.data.status] : STATUSES);
}

export const STATUSES = ['draft', 'sent', 'paid', 'void'];
