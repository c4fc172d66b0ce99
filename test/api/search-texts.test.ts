import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#shared/routes.ts';
import { given, type User } from '#test/support/given.ts';
import { requiredQueryOf } from '#test/support/resources.ts';

/** Every operation that searches texts, as the contract lists them. */

const searching = routes.filter(({ query }) => query && 'entries' in query && 'q' in Object(query.entries));

const STORED = 'Beta \t Works\u3000Ltd';

const WANTED = ['Beta Works Ltd', ' beta works ltd', 'BETA  WORKS\u00a0LTD ', '\tbeta\nworks  ltd', 'a Works L'];

const OTHERS = ['BetaWorks Ltd', 'Beta Works  Ltda'];

describe.each(searching.map((endpoint) => [endpoint.operationId, endpoint] as const))('the q of %s', (_, endpoint) => {
  const found = async (by: User, q: string): Promise<number> => {
    const { status, body } = await by.get(endpoint.path, { ...requiredQueryOf(endpoint), q });
    expect(status).toBe(200);
    return body.data.length;
  };

  it('finds a text whatever the space around it and inside', async () => {
    for (const q of WANTED) expect(await found(ana, q), JSON.stringify(q)).toBeGreaterThan(0);
    for (const q of OTHERS) expect(await found(ana, q), JSON.stringify(q)).toBe(0);
  });
});

let ana: User;

beforeAll(async () => {
  ana = await given.user({ name: STORED });
  const { id: clientId } = await given.client(ana, { name: STORED });
  await given.product(ana, { name: STORED });
  await given.project(ana, { clientId });
  await given.entry(ana, { description: STORED });
  const { id } = await given.sentInvoice(ana, { clientId });
  await given.creditNote(ana, id);
});

it('finds every operation that searches', () => {
  expect(searching.length).toBeGreaterThan(7);
});
