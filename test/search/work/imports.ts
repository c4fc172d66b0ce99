import type { User } from '#test/support/given.ts';
import { THERE } from './records.ts';
import { Register } from './register.ts';
import type { Batch, Scene } from './scene.ts';
import { edit, removeEntry } from './things.ts';
import { CHANGE, DAYS, REMOTE } from './vocabulary.ts';

/** Acts on a remote time tracker: importing, taking imports back, and the connection itself. */

/** Rows that nobody has imported. */
export async function importNew(scene: Scene, by: User, rows = 1 + scene.crew.dice.below(60)): Promise<void> {
  const batch = Array.from({ length: rows }, () => scene.crew.newText());
  scene.batches.push(batch);
  await importRows(scene, by, batch);
}

/** The same rows with other content. */
export async function importAgain(scene: Scene, by: User): Promise<void> {
  await importRows(scene, by, scene.crew.dice.pick(scene.batches));
}

async function importRows(scene: Scene, by: User, batch: Batch): Promise<void> {
  const { crew, projectIds, records } = scene;
  const { dice } = crew;
  const registers = batch.map((text) => {
    const { register } = records.things.get(text) ?? { register: new Register() };
    if (!records.things.has(text)) records.things.set(text, { kind: 'row', register });
    return register;
  });
  const rows = batch.map((text, position) => ({
    description: `${text}${CHANGE}${crew.newText()}`,
    externalId: text,
    date: dice.pick(DAYS),
    durationMinutes: 1 + dice.below(90),
    billable: dice.chance(0.8),
    project: String(position % 2),
    rate: dice.pick([20, 33.33]),
    currency: position % 2 === 0 ? 'USD' : 'JPY',
  }));
  const body = { rows, projectMapping: { 0: projectIds[0], 1: projectIds[1] }, updateChanged: dice.chance(0.7) };
  const sent = await crew.send(by, 'confirm import', 'POST', `${REMOTE}/sync/confirm`, { body });
  // A 202 is no answer yet.
  const told = sent.status === 202 ? { ...sent, status: 503 } : sent;
  for (const register of registers) register.note(told, THERE);
  if (sent.status < 300) records.jobs.set(sent.body.data.importJobId, undefined);
}

export async function undo({ crew, records }: Scene, by: User): Promise<void> {
  const ids = [...records.jobs.keys()].slice(-3);
  if (ids.length === 0) return;
  const id = crew.dice.pick(ids);
  const sent = await crew.send(by, 'undo import', 'POST', `${REMOTE}/sync/history/${id}/undo`);
  // The job may have made any of the rows. Half way it may find that some are being billed, or that another undo has ended.
  const rows = [...records.things.values()].filter(({ kind }) => kind === 'row');
  const may = { from: sent.from, to: sent.status >= 500 ? Number.POSITIVE_INFINITY : sent.to };
  const isHalfway = sent.status >= 500 || ['invoicing_in_progress', 'import_not_undoable'].includes(sent.body.code);
  if (sent.status < 300 || isHalfway) for (const { register } of rows) register.allow(may, null);
  if (sent.status >= 300) return;
  const { keptInvoicedCount, keptEditedCount } = sent.body.data;
  records.jobs.set(id, keptInvoicedCount + keptEditedCount);
}

/** Rows go and come again at once, while others change what they have read of them. */
export async function comeBack(scene: Scene, by: User): Promise<void> {
  const { crew } = scene;
  await Promise.all([
    undo(scene, by),
    importAgain(scene, by),
    crew.clicks(3, () => edit(scene, by)),
    crew.dice.chance(0.5) && removeEntry(scene, by),
  ]);
}

export async function connect({ account, crew, hermit, records }: Scene): Promise<void> {
  const { accountId, accessToken } = account;
  const body = { accountId, accessToken };
  const sent = await crew.send(hermit, 'connect', 'POST', `${REMOTE}/connect`, { body });
  // A first connection has the default, a later one keeps its interval.
  if (sent.status === 200) records.connection.note(sent, String(sent.body.data.syncIntervalMinutes));
  else for (const interval of ['15', '30', '60']) records.connection.note(sent, interval);
}

export async function configure({ crew, hermit, records }: Scene): Promise<void> {
  const syncIntervalMinutes = crew.dice.pick([15, 30]);
  const body = { syncEnabled: false, syncIntervalMinutes };
  const sent = await crew.send(hermit, 'settings', 'PATCH', `${REMOTE}/settings`, { body });
  records.connection.note(sent, String(syncIntervalMinutes));
}

export async function disconnect({ crew, hermit, records }: Scene): Promise<void> {
  records.connection.note(await crew.send(hermit, 'disconnect', 'DELETE', REMOTE), null);
}

export async function preview({ crew }: Scene, by: User): Promise<void> {
  await crew.send(by, 'preview', 'POST', `${REMOTE}/sync/preview`, { body: {} });
}
