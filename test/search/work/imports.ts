import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import type { Sent } from './crew.ts';
import { THERE } from './records.ts';
import { Register } from './register.ts';
import type { Batch, Scene } from './scene.ts';
import { edit, removeEntry } from './things.ts';
import { CHANGE, DAYS, REMOTE, TRACKER } from './vocabulary.ts';

/** Acts on a remote time tracker and on rows from anywhere: importing, and taking imports back. */

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
  const sent = await sendTo(scene, by, batch, body);
  // A 202 is no answer yet.
  const told = sent.status === 202 ? { ...sent, status: 503 } : sent;
  for (const register of registers) register.note(told, THERE);
  if (sent.status < 300) records.jobs.set(sent.body.data.importJobId, undefined);
}

/** Rows of a batch always come by the same door: by the other one they would be others. */
function sendTo({ crew, batches }: Scene, by: User, batch: Batch, body: Json): Promise<Sent> {
  const isOfProvider = batches.indexOf(batch) % 2 === 0;
  return isOfProvider
    ? crew.send(by, 'confirm import', 'POST', `${REMOTE}/sync/confirm`, { body })
    : crew.send(by, 'import rows', 'POST', `${TRACKER}/imports`, { body: { origin: 'search', ...body } });
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
