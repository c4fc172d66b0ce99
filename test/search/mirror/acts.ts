import type { Cloud } from '#scripts/local/cloud.ts';
import { given, User } from '#test/support/given.ts';
import { newEmail, signIn } from '#test/support/person.ts';
import type { RemoteEntry } from '#test/support/provider.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import type { Act } from '../rounds.ts';
import type { Scene } from '../work/scene.ts';
import { DAYS, INVOICES, REMOTE } from '../work/vocabulary.ts';

/** Acts that change what other searches leave as it is: credits, people and their keys, the organization, syncs. */

const SYNC_HOURS = 3;

export class MoreActs {
  readonly #cloud: Pick<Cloud, 'fireSchedule'>;
  readonly #account: RemoteAccount;
  readonly #people: string[] = [];
  readonly #keys: string[] = [];
  readonly #remote = new Map<number, RemoteEntry>();
  #time = Date.now();

  private constructor(cloud: Pick<Cloud, 'fireSchedule'>, account: RemoteAccount) {
    this.#cloud = cloud;
    this.#account = account;
  }

  /** Connects another account than that of the scene. */
  static async begin(cloud: Pick<Cloud, 'fireSchedule'>, by: User): Promise<MoreActs> {
    const account = await given.remoteAccount();
    const { accessToken, accountId } = account;
    await by.post(`${REMOTE}/connect`, { accessToken, accountId });
    await by.patch(`${REMOTE}/settings`, { syncEnabled: true, syncIntervalMinutes: 15 });
    return new MoreActs(cloud, account);
  }

  get all(): readonly (readonly [weight: number, act: Act])[] {
    return [
      [8, (scene, by) => this.credit(scene, by)],
      [2, (scene, by) => this.refund(scene, by)],
      [4, (scene, by) => this.hire(scene, by)],
      [8, (scene, by) => this.manage(scene, by)],
      [4, (scene, by) => this.issueKey(scene, by)],
      [4, (scene, by) => this.revokeKey(scene, by)],
      [2, (scene, by) => this.configure(scene, by)],
      [3, (scene) => this.sync(scene)],
      [1, (scene, by) => this.reconnect(scene, by)],
    ];
  }

  /** All that is left of an invoice, or of one of its lines; its entries are free then, or stay. A draft is sent before. */
  async credit({ crew, records }: Scene, by: User): Promise<void> {
    const { dice } = crew;
    const known = [...records.invoices.values()].slice(1).filter(({ id, isOver }) => id && !isOver);
    if (known.length === 0) return;
    const { id, status } = dice.pick(known);
    const path = `${INVOICES}/${id}`;
    if (status.mayLeave('draft')) {
      const sent = await crew.send(by, 'send invoice', 'POST', `${path}/send`);
      status.note(sent, 'sent');
    }
    const { body } = await crew.get(by, path);
    if (!body.data) return;
    const lines = dice.chance(0.6) ? [{ lineItemId: dice.pick<{ id: string }>(body.data.lineItems).id }] : undefined;
    const wanted = { reason: crew.newText(), releaseEntries: dice.chance(0.7), lines };
    await crew.send(by, 'credit', 'POST', `${path}/credit-notes`, { body: wanted });
  }

  async refund({ crew, records }: Scene, by: User): Promise<void> {
    const paid = [...records.invoices.values()].filter(({ id, mayHavePayments }) => id && mayHavePayments);
    if (paid.length === 0) return;
    const path = `${INVOICES}/${crew.dice.pick(paid).id}/refunds`;
    await crew.send(by, 'refund', 'POST', path, { body: { amount: crew.dice.pick(['1', '5']) } });
  }

  /** Every other one signs in, whom the email links to the user. */
  async hire({ crew }: Scene, by: User): Promise<void> {
    const { dice } = crew;
    const email = newEmail();
    const body = { name: crew.newText(), role: dice.pick(['admin', 'member']), email };
    const { status, body: made } = await crew.send(by, 'create user', 'POST', '/v1/users', { body });
    if (status !== 201) return;
    this.#people.push(made.data.id);
    if (dice.chance(0.5)) await signIn(email).in(by.organization.id).get('/v1/me');
  }

  /** Somebody is changed, removed, invited or signed out, or books. */
  async manage(scene: Scene, by: User): Promise<void> {
    const { crew } = scene;
    const { dice } = crew;
    const id = await this.#anybody(scene, by);
    if (id === undefined) return;
    const path = `/v1/users/${id}`;
    const entry = { userId: id, description: crew.newText(), durationMinutes: 30, entryDate: dice.pick(DAYS) };
    await dice.pick([
      () => crew.send(by, 'change user', 'PATCH', path, { body: { name: crew.newText() } }),
      () => crew.send(by, 'change user', 'PATCH', path, { body: { email: newEmail(), role: 'member' } }),
      () => crew.send(by, 'remove user', 'DELETE', path),
      () => crew.send(by, 'end sign-ins', 'DELETE', `${path}/sign-ins`),
      () => crew.send(by, 'create entry', 'POST', '/v1/work/tracker/entries', { body: entry }),
      () => this.#accept(scene, by, path),
    ])();
  }

  async #accept({ crew }: Scene, by: User, path: string): Promise<void> {
    const { body } = await crew.send(by, 'invite', 'POST', `${path}/invitations`);
    if (!body.data) return;
    const person = signIn(newEmail(), { email: undefined });
    await person.send('POST', '/v1/me/link', { body: { code: body.data.code } });
  }

  async #anybody(scene: Scene, by: User): Promise<string | undefined> {
    if (this.#people.length === 0) await this.hire(scene, by);
    return this.#people.length > 0 ? scene.crew.dice.pick(this.#people) : undefined;
  }

  /** For somebody, perhaps new, by a key that somebody has made before. */
  async issueKey(scene: Scene, by: User): Promise<void> {
    const { crew } = scene;
    const userId = crew.dice.chance(0.7) ? await this.#anybody(scene, by) : undefined;
    const holder = userId ? { userId } : { user: crew.newText() };
    const body = { name: crew.newText(), scopes: ['keys:write', 'organization:write', 'tracker:read'], ...holder };
    const { status, body: made } = await crew.send(by, 'create key', 'POST', '/v1/api-keys', { body });
    if (status !== 201) return;
    this.#keys.push(made.data.id);
    const child = new User(by.organization, made.data);
    const own = { name: crew.newText(), scopes: ['tracker:read'] };
    if (crew.dice.chance(0.5)) await crew.send(child, 'create key', 'POST', '/v1/api-keys', { body: own });
  }

  async revokeKey({ crew }: Scene, by: User): Promise<void> {
    if (this.#keys.length === 0) return;
    const query = { keepMade: crew.dice.chance(0.5) };
    await crew.send(by, 'revoke key', 'DELETE', `/v1/api-keys/${crew.dice.pick(this.#keys)}`, { query });
  }

  async configure({ crew }: Scene, by: User): Promise<void> {
    const body = crew.dice.pick([
      { legalName: crew.newText() },
      { invoiceNotes: crew.newText() },
      { paymentTermsDays: crew.dice.below(30) },
      { city: 'Bonn' },
    ]);
    await crew.send(by, 'change organization', 'PATCH', '/v1/organization', { body });
  }

  /** Work comes, changes and goes at the provider, and the schedule takes it; sometimes there is nothing. */
  async sync({ crew: { dice } }: Scene): Promise<void> {
    this.#time += SYNC_HOURS * 3_600_000;
    const at = new Date(this.#time);
    const changes = dice.below(4);
    for (let i = 0; i < changes; i++) {
      const id = 1 + dice.below(8);
      if (dice.chance(0.2)) this.#remote.delete(id);
      else
        this.#remote.set(id, {
          id,
          notes: `work ${dice.below(1_000_000)}`,
          date: at.toISOString().slice(0, 10),
          hours: 1 + dice.below(4),
          currency: 'USD',
          updatedAt: at.toISOString(),
        });
    }
    await this.#account.change({ entries: [...this.#remote.values()] });
    await this.#cloud.fireSchedule('sync-scheduler', at);
  }

  async reconnect({ crew }: Scene, by: User): Promise<void> {
    if (crew.dice.chance(0.2)) await crew.send(by, 'disconnect', 'DELETE', REMOTE);
    const { accessToken, accountId } = this.#account;
    await crew.send(by, 'connect', 'POST', `${REMOTE}/connect`, { body: { accessToken, accountId } });
    const body = { syncEnabled: true, syncIntervalMinutes: crew.dice.pick([15, 30, 60]) };
    await crew.send(by, 'settings', 'PATCH', `${REMOTE}/settings`, { body });
  }
}
