import type { Json } from '#test/support/client.ts';
import type { User } from '#test/support/given.ts';
import type { Sent } from './crew.ts';
import { type Invoice, newInvoice, THERE } from './records.ts';
import { Register } from './register.ts';
import type { Scene } from './scene.ts';
import { edit, readFree, STATUSES } from './things.ts';
import { INVOICES, RANGE } from './vocabulary.ts';

/** Acts on invoices. All callers want the time of the same client, so that they want the same entries at once. */

/** Entries of the draft that is never given up. */
const ANCHORS = 2;

export async function anchor(scene: Scene, by: User): Promise<void> {
  const free = (await readFree(scene, by)).filter(({ currency }) => currency === 'USD');
  const entryIds = free.slice(0, ANCHORS).map(({ id }) => id);
  await createInvoice(scene, by, { currency: 'USD', lineItems: [{ entryIds }] });
  scene.anchorIds = entryIds;
}

export async function createInvoice(scene: Scene, by: User, content: Json): Promise<Invoice> {
  const { clientId, crew, records } = scene;
  const notes = crew.newText();
  const invoice = newInvoice();
  records.invoices.set(notes, invoice);
  const body = { clientId, notes, ...content };
  const sent = await crew.send(by, 'create invoice', 'POST', INVOICES, { body });
  invoice.status.note(sent, 'draft');
  noteLines(invoice, sent);
  if (sent.status === 201) invoice.id = sent.body.data.id;
  return invoice;
}

function noteLines(invoice: Invoice, sent: Sent): void {
  const { data } = sent.body;
  invoice.lines.note(sent, data && JSON.stringify(data.lineItems));
  if (data) invoice.entryIds = entryIdsOf(data);
}

function entryIdsOf({ lineItems }: Json): string[] {
  return lineItems.flatMap(({ entryIds }: Json) => entryIds);
}

async function bill(scene: Scene, by: User): Promise<void> {
  const { crew, clientId, oldClientId, projectIds, records } = scene;
  const { dice } = crew;
  const groupBy = dice.pick(['entry', 'project', 'day']);
  const own = { name: crew.newText(), price: '12.50', quantity: '1.5', taxRate: '19' };
  const products = records.found('product').map(([, , productId]) => ({ productId }));
  const contents = [
    { currency: 'USD', timeEntries: { ...RANGE, projectId: projectIds[0], groupBy } },
    { currency: dice.pick(['USD', 'JPY']), lineItems: [own], timeEntries: { ...RANGE, groupBy } },
    { currency: 'USD', lineItems: [own, ...products.slice(-2)] },
    { clientId: oldClientId ?? clientId, currency: 'USD', timeEntries: { ...RANGE, groupBy, taxRate: '7' } },
  ];
  await createInvoice(scene, by, contents[dice.pick([0, 0, 0, 0, 0, 1, 1, 2, 3])]);
}

export async function billAtOnce(scene: Scene, by: User): Promise<void> {
  await scene.crew.clicks(scene.crew.dice.pick([2, 3]), () => bill(scene, by));
}

type Known = Invoice & { readonly id: string };

function isKnown(invoice: Invoice): invoice is Known {
  return invoice.id !== undefined;
}

function pickInvoice({ crew, records }: Scene, isWanted: (invoice: Known) => boolean): Known | undefined {
  const [, ...others] = records.invoices.values();
  const wanted = others.filter(isKnown).filter(isWanted);
  return wanted.length > 0 ? crew.dice.pick(wanted) : undefined;
}

const pickOpen = (scene: Scene) => pickInvoice(scene, ({ isOver }) => !isOver);

function pickDraft(scene: Scene): Known | undefined {
  const [anchored] = scene.records.invoices.values();
  return scene.crew.dice.chance(0.5) && anchored && isKnown(anchored) ? anchored : pickOpen(scene);
}

/** Other lines for a draft, as somebody sends them who clicks once or four times; now and then while another sends the invoice. */
export async function changeLines(scene: Scene, by: User): Promise<void> {
  const { anchorIds, crew } = scene;
  const { dice } = crew;
  const invoice = pickDraft(scene);
  if (!invoice) return;
  const { status, headers, body } = await crew.get(by, `${INVOICES}/${invoice.id}`);
  if (status !== 200 || body.data.status !== 'draft') return;
  const isKept = (id: string) => anchorIds.includes(id) || dice.chance(0.7);
  const free = (await readFree(scene, by)).filter(({ currency }) => currency === body.data.currency);
  const coming = free.length > 0 ? [dice.pick(free).id, dice.pick(free).id] : [];
  const wanted = new Set([...entryIdsOf(body.data).filter(isKept), ...coming]);
  const own = { name: crew.newText(), price: '1' };
  const lineItems = [own, ...[...wanted].map((id) => ({ entryIds: [id] }))];
  const tag = dice.chance(0.7) ? { 'if-match': headers.get('etag') ?? '' } : undefined;
  const isAnchor = anchorIds.some((id) => wanted.has(id));
  const [sent] = await Promise.all([
    crew.clicks(dice.pick([1, 4, 4]), () => replaceLines(scene, by, invoice, lineItems, tag)),
    !isAnchor && dice.chance(0.2) && step(scene, by, 'send', invoice),
  ]);
  if (tag && sent.filter((each) => each.status < 300).length > 1) crew.blame('One tag was good for two changes');
}

async function replaceLines(scene: Scene, by: User, invoice: Known, lineItems: Json, headers = {}): Promise<Sent> {
  const sending = { body: { lineItems }, headers };
  const sent = await scene.crew.send(by, 'change invoice', 'PATCH', `${INVOICES}/${invoice.id}`, sending);
  noteLines(invoice, sent);
  noteState(invoice, sent, 'draft');
  return sent;
}

const EFFECTS = {
  send: { prior: 'draft', effect: 'sent' },
  pay: { prior: 'sent', effect: 'paid' },
  void: { prior: 'sent', effect: 'void' },
  delete: { prior: 'draft', effect: null },
} as const;

type Step = keyof typeof EFFECTS;

/** A success has found the invoice in the state that the request needs, and a refusal for its state in any other. */
function noteState({ status }: Invoice, sent: Sent, prior: string): void {
  if (sent.status < 300) status.see(sent, [prior]);
  else if (sent.status === 404) status.see(sent, [null]);
  else if (sent.body.code === 'invoice_state_forbids')
    status.see(
      sent,
      STATUSES.filter((each) => each !== prior),
    );
}

async function step(scene: Scene, by: User, name: Step, invoice: Known): Promise<void> {
  const { crew } = scene;
  const { prior, effect } = EFFECTS[name];
  if (name === 'pay') invoice.mayHavePayments = true;
  const path = `${INVOICES}/${invoice.id}`;
  const [method, target] = name === 'delete' ? ['DELETE', path] : ['POST', `${path}/${name}`];
  const sent = await crew.send(by, `${name} invoice`, method, target);
  noteState(invoice, sent, prior);
  invoice.status.note(sent, effect);
  invoice.isOver ||= sent.status < 300 && (name === 'void' || name === 'delete');
  if (sent.body.code === 'invoice_has_payments' && !invoice.mayHavePayments)
    crew.blame(`The invoice ${invoice.id} is said to have payments`);
}

/** Mostly a step that is allowed, now and then any. */
export async function goOn(scene: Scene, by: User): Promise<void> {
  const invoice = pickOpen(scene);
  if (!invoice) return bill(scene, by);
  const names = ['send', 'send', 'pay', 'void', 'void', 'delete'] as const;
  const allowed = names.filter((name) => invoice.status.mayLeave(EFFECTS[name].prior));
  const isAny = allowed.length === 0 || scene.crew.dice.chance(0.1);
  await step(scene, by, scene.crew.dice.pick(isAny ? names : allowed), invoice);
}

/** An invoice lets go of its entries; at once some of them are changed, and several want all. */
export async function giveUp(scene: Scene, by: User): Promise<void> {
  const invoice = pickOpen(scene);
  if (!invoice) return;
  await step(scene, by, invoice.status.mayLeave('draft') ? 'delete' : 'void', invoice);
  await Promise.all([...invoice.entryIds.slice(-2).map((id) => edit(scene, by, id)), billAtOnce(scene, by)]);
}

const pickPayable = (scene: Scene) => pickInvoice(scene, ({ status }) => status.mayLeave('sent', 'paid'));

/** Some are more than what is due of most invoices, and `0.01` is too small for a yen. */
const AMOUNTS = ['1', '5', '10', '22', '0.01', '100000'];

/** One payment, or several at once, of which some are more than what is due. */
export async function pay(scene: Scene, by: User): Promise<void> {
  const invoice = pickPayable(scene);
  if (!invoice) return goOn(scene, by);
  await scene.crew.clicks(scene.crew.dice.pick([1, 1, 2, 5]), () => payOnce(scene, by, invoice));
}

async function payOnce({ crew }: Scene, by: User, invoice: Known): Promise<void> {
  const reference = crew.newText();
  const payment = new Register();
  invoice.payments.set(reference, payment);
  invoice.mayHavePayments = true;
  const body = { amount: crew.dice.pick(AMOUNTS), reference };
  const sent = await crew.send(by, 'create payment', 'POST', `${INVOICES}/${invoice.id}/payments`, { body });
  payment.note(sent, THERE);
  // Whether something is left to pay, the invoice alone knows.
  if (sent.status >= 400 && sent.status < 500) return;
  const may = { from: sent.from, to: sent.status < 300 ? sent.to : Number.POSITIVE_INFINITY };
  for (const status of ['sent', 'paid']) invoice.status.allow(may, status);
}

export async function takeBack(scene: Scene, by: User): Promise<void> {
  const { crew } = scene;
  const invoice = pickPayable(scene);
  if (!invoice) return goOn(scene, by);
  const path = `${INVOICES}/${invoice.id}/payments`;
  const { status, body } = await crew.get(by, path);
  if (status !== 200 || body.data.length === 0) return;
  const { id, reference } = crew.dice.pick<Json>(body.data);
  const sent = await crew.send(by, 'take payment back', 'DELETE', `${path}/${id}`);
  invoice.payments.get(reference)?.note(sent, null);
  const may = { from: sent.from, to: sent.status < 300 ? sent.to : Number.POSITIVE_INFINITY };
  if (sent.status < 300 || sent.status >= 500) invoice.status.allow(may, 'sent');
}
