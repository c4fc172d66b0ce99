import fc from 'fast-check';
import { Webhook as Standard } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { faultOfReceiver } from '#shared/domain/events/receiver.ts';
import { formatSecret, livingSecrets, signedHeaders, withNewSecret } from '#shared/domain/events/signature.ts';
import {
  afterFailure,
  afterSuccess,
  assertMayDirect,
  behindOf,
  DELIVERY_FAILURES,
  failureOfStatus,
  isWaiting,
  mayDeliver,
  newWebhook,
  pausedAt,
  reviseWebhook,
  tooManyWebhooks,
  type Webhook,
} from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { problem, refused } from '#test/support/refusals.ts';
import { WAITS_SECONDS } from '#test/support/waits.ts';

const NOW = new Date('2026-11-20T09:30:00.000Z');

const maker = { userId: 'ana', keyId: null, scopes: SCOPES };

const made = { id: 'hook', organizationId: 'home', maker, secrets: [], after: 0 };

const webhook = newWebhook({ url: 'https://hooks.example.com/' }, made, NOW);

const failing: Webhook = { ...webhook, ...afterFailure(webhook, 'timeout', NOW, 0.5) };

const TOMORROW = '2026-11-21T09:30:00.000Z';

const elsewhere = { ownHosts: ['api.example.com', ''], allowsLoopback: false };

const atADesk = { ownHosts: ['localhost:3000'], allowsLoopback: true };

describe('attempts', () => {
  const disabled = { status: 'disabled', nextAttemptAt: null, dueAt: TOMORROW, lastFailureAt: NOW.toISOString() };

  it('wait longer each time, with a tenth more or less, and end after ten', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        let present: Webhook = webhook;
        for (const seconds of WAITS_SECONDS) {
          present = { ...present, ...afterFailure(present, 'http_5xx', NOW, random) };
          expect(present.status).toBe('failing');
          const waited = (Date.parse(present.nextAttemptAt ?? '') - NOW.getTime()) / 1_000;
          expect(waited).toBeGreaterThanOrEqual(seconds * 0.9 - 0.001);
          expect(waited).toBeLessThanOrEqual(seconds * 1.1);
        }
        const last = afterFailure(present, 'http_5xx', NOW, random);
        expect(last).toMatchObject({ ...disabled, lastFailure: 'http_5xx', failures: 0 });
      }),
    );
  });

  it.each([
    [0, 4_500],
    [1, 5_500],
  ])('are drawn apart by %d: the first wait is of %d ms', (random, milliseconds) => {
    const nextAttemptAt = new Date(NOW.getTime() + milliseconds).toISOString();
    expect(afterFailure(webhook, 'timeout', NOW, random)).toMatchObject({ nextAttemptAt, dueAt: nextAttemptAt });
  });

  it('end at once with a 410, and begin anew after a success', () => {
    expect(afterFailure(webhook, 'gone', NOW, 0.5)).toMatchObject({ ...disabled, lastFailure: 'gone' });
    const begun = { nextAttemptAt: null, failures: 0, dueAt: NOW.toISOString() };
    const success = { status: 'active', lastSuccessAt: NOW.toISOString() };
    expect(afterSuccess(failing, NOW)).toEqual({ ...success, ...begun });
    expect(afterSuccess(webhook, NOW)).toEqual(success);
  });

  it('leave the last success and the last failure of those before, whatever comes later', () => {
    const outcomes = fc.array(fc.option(fc.constantFrom(...DELIVERY_FAILURES)), { maxLength: 30 });
    fc.assert(
      fc.property(outcomes, (failures) => {
        const at = (position: number) => new Date(NOW.getTime() + position * 60_000);
        const timeOf = (position: number) => (position === -1 ? null : at(position).toISOString());
        let left: Webhook = webhook;
        for (const [position, failure] of failures.entries()) {
          const now = at(position);
          left = { ...left, ...(failure ? afterFailure(left, failure, now, 0.5) : afterSuccess(left, now)) };
        }
        const lastFailure = failures.findLastIndex((failure) => failure !== null);
        expect(left).toMatchObject({
          lastSuccessAt: timeOf(failures.lastIndexOf(null)),
          lastFailureAt: timeOf(lastFailure),
          lastFailure: failures[lastFailure] ?? null,
        });
      }),
    );
  });

  it('fail with any status but 2xx', () => {
    const failureOf = (status: number) => {
      if (status === 410) return 'gone';
      const [hundreds] = String(status);
      return hundreds === '2' ? undefined : hundreds === '3' || hundreds === '4' ? `http_${hundreds}xx` : 'http_5xx';
    };
    for (let status = 100; status < 1_000; status++) {
      expect([status, failureOfStatus(status)]).toEqual([status, failureOf(status)]);
    }
  });
});

describe('the changes that the caller must be able to read the events for', () => {
  const ofClients: Webhook = { ...webhook, types: ['client.*'] };

  it.each([
    [{ url: 'https://other.example.com/' }],
    [{ types: ['client.created'] }],
    [{ after: 3 }],
    [{ after: 'latest' as const }],
  ])('are of where, what and from where on: %o', (changes) => {
    expect(() => assertMayDirect(['events:read', 'clients:read'], ofClients, changes)).not.toThrow();
    for (const scopes of [['events:read'], ['clients:read']] as const) {
      expect(() => assertMayDirect(scopes, ofClients, changes)).toThrow(problem('insufficient_scope'));
    }
  });

  it('are no others, and of new types it is those that count', () => {
    expect(() => assertMayDirect([], ofClients, { description: 'Other', status: 'paused' })).not.toThrow();
    expect(() => assertMayDirect(['events:read'], ofClients, { types: ['organization.*'] })).not.toThrow();
  });
});

describe('the types of a webhook', () => {
  const reader = { ...made, maker: { ...maker, scopes: ['clients:read', 'tracker:read'] as const } };
  const url = 'https://hooks.example.com/';
  const families = ['client.*', 'project.*', 'entry.*', 'timer.*', 'entries.*', 'user.*', 'organization.*'];

  it('are all that its maker may read, unless it names some of them', () => {
    expect(newWebhook({ url }, reader, NOW).types).toEqual(families);
    expect(newWebhook({ url, types: ['client.*'] }, reader, NOW).types).toEqual(['client.*']);
  });

  it('are none that its maker may not read, now or later', () => {
    const types = ['client.created', 'invoice.*'];
    const message = 'The maker of the webhook lacks the scope that reads these.';
    const unread = refused('validation_failed', 'types.1', message);
    expect(() => newWebhook({ url, types }, reader, NOW)).toThrow(unread);
    expect(() => reviseWebhook(newWebhook({ url }, reader, NOW), { types }, NOW)).toThrow(unread);
  });
});

describe('the events behind a webhook', () => {
  const wants = { types: ['client.*', 'product.created'], maker: { ...maker, scopes: ['clients:read'] as const } };

  it.each([
    [{}, 0],
    [{ 'client.created': 2, 'client.updated': 3, 'timer.started': 5, 'product.created': 7 }, 5],
    [{ 'client.created': 998, 'client.updated': 1 }, 999],
    [{ 'client.created': 998, 'client.updated': 3 }, 1_000],
    [undefined, 1_000],
  ])('are those that it is sent, of %o: %i', (counts, behind) => {
    expect(behindOf(wants, counts)).toBe(behind);
  });
});

it('a webhook is delivered while its maker is an admin whose key lives', () => {
  const makers = [
    ['admin', true],
    ['admin', false],
    ['member', true],
    [null, true],
  ] as const;
  expect(makers.map(([role, hasKey]) => mayDeliver({ role, hasKey }))).toEqual([true, false, false, false]);
});

it('a webhook waits until its next attempt, and not without one', () => {
  const at = (milliseconds: number) => ({ nextAttemptAt: new Date(NOW.getTime() + milliseconds).toISOString() });
  expect([at(1), at(0), { nextAttemptAt: null }].map((attempt) => isWaiting(attempt, NOW))).toEqual([
    true,
    false,
    false,
  ]);
});

it('an organization has at most ten webhooks', () => {
  const { code, details } = tooManyWebhooks();
  const detail = 'An organization has at most 10 webhooks: delete one first.';
  expect({ code, detail: details.detail }).toEqual({ code: 'too_many_webhooks', detail });
});

describe('a change', () => {
  it.each([
    { url: 'https://other.example.com/' },
    { types: ['client.*'] },
    { after: 3 },
    { status: 'active' } as const,
  ])('ends the waiting: %o', (changes) => {
    const begun = { nextAttemptAt: null, failures: 0, dueAt: NOW.toISOString() };
    expect(reviseWebhook(failing, changes, NOW)).toMatchObject({ status: 'active', ...changes, ...begun });
  });

  it('that pauses has it looked after once a day', () => {
    const paused = { nextAttemptAt: null, failures: 0, dueAt: TOMORROW };
    expect(reviseWebhook(failing, { status: 'paused' }, NOW)).toMatchObject(paused);
    expect(pausedAt(NOW)).toMatchObject({ status: 'paused', ...paused });
  });

  it('of nothing changes nothing, and of the description leaves the waiting', () => {
    expect(reviseWebhook(failing, { url: failing.url, types: failing.types, after: 0 }, NOW)).toBe(failing);
    const { nextAttemptAt, status } = failing;
    const described = { description: 'Other' };
    expect(reviseWebhook(failing, described, NOW)).toMatchObject({ ...described, nextAttemptAt, status });
  });

  it('wakes none that is disabled or paused, unless somebody wants it', () => {
    for (const status of ['disabled', 'paused'] as const) {
      expect(reviseWebhook({ ...webhook, status }, { url: 'https://other.example.com/' }, NOW).status).toBe(status);
      expect(reviseWebhook({ ...webhook, status }, { status: 'active' }, NOW).status).toBe('active');
    }
  });
});

describe('signatures', () => {
  it('verify under each secret that lives, as Standard Webhooks says', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.uuid(), fc.json(), fc.array(bytes, { minLength: 1, maxLength: 2 }), (id, body, randoms) => {
        const secrets = randoms.map(formatSecret);
        const headers = signedHeaders(id, body, secrets, new Date());
        for (const secret of secrets) expect(new Standard(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Standard(secrets[0] ?? '').verify(`${body} `, headers)).toThrow();
      }),
    );
  });

  it('are at most two: a third secret ends the first', () => {
    const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
    const second = withNewSecret([{ encrypted: 'first', endsAt: null }], 'second', 24, NOW);
    const third = withNewSecret(second, 'third', 24, hours(1));
    const namesAt = (secrets: typeof third, at: Date) => livingSecrets(secrets, at).map(({ encrypted }) => encrypted);
    expect(second.map(({ endsAt }) => endsAt)).toEqual([null, TOMORROW]);
    expect(namesAt(second, hours(23))).toEqual(['second', 'first']);
    expect(namesAt(second, hours(24))).toEqual(['second']);
    expect(namesAt(third, hours(1))).toEqual(['third', 'second']);
    expect(namesAt(withNewSecret(third, 'fourth', 0, hours(2)), hours(2))).toEqual(['fourth']);
  });
});

/** By what is said of them. */
const REFUSED = {
  'Expected a URL.': [
    ...['hooks.example.com', 'https:///', 'https://hooks.example.com:99999', 'https://hooks .example.com'],
    ...[' https://a.example/', 'https://hooks.example.com\\@evil.example', 'https://hooks.exa\tmple.com'],
    'https://hooks.example.com/\n',
  ],
  'Expected at most 2000 characters.': ['https://hooks.example.com/'.padEnd(2_001, 'a')],
  'Expected a URL without a fragment.': ['https://hooks.example.com/#', 'https://hooks.example.com/#top'],
  'Expected the URL of another service than this one.': [
    ...['https://127.0.0.1', 'https://127.1', 'https://2130706433', 'https://0x7f000001', 'https://0x7f.0.0x1'],
    ...['https://017700000001', 'https://１２７.0.0.1', 'https://127.0.0.1.', 'https://localhost'],
    ...['https://api.example.com/v1', 'https://API.example.com:443/'],
  ],
  'Expected a URL that begins with https://.': [
    ...['http://hooks.example.com', 'ftp://hooks.example.com', 'https:hooks.example.com'],
    ...['http://127.0.0.1:3001', 'http://localhost:3001/hook'],
  ],
  'Expected a URL without user and password.': [
    ...['https://ana@hooks.example.com', 'https://ana:secret@hooks.example.com', 'https://@hooks.example.com'],
  ],
  'Expected no port, or 443.': ['https://hooks.example.com:8443', 'https://hooks.example.com:80'],
  'Expected a host name, not an address.': [
    ...['https://0', 'https://[::1]', 'https://[::ffff:127.0.0.1]', 'https://[fe80::1]', 'https://93.184.216.34'],
    'https://[2606:4700::1111]',
  ],
  'Expected a host name of at least two labels.': [
    ...['https://example', 'https://example.', 'https://hooks..example.com', 'https://hooks.example.com.'],
  ],
  'Expected a host name that is known everywhere.': [
    ...['https://a.localhost', 'https://printer.local', 'https://db.INTERNAL', 'https://nas.home.arpa'],
    'https://metadata.google.internal/',
  ],
};

describe('the URL of a receiver', () => {
  const ofLength = (characters: number) => 'https://hooks.example.com/'.padEnd(characters, 'a');

  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com:443/in?from=billwright&a=b@c',
    'HTTPS://Hooks.Example.com/',
    'https://bücher.example/',
    'https://local.example.com/',
    'https://1.2.3.4.example.com/',
    ofLength(2_000),
  ])('may be %s', (url) => {
    expect(faultOfReceiver(url, elsewhere)).toBeUndefined();
  });

  it.each(Object.entries(REFUSED))('is refused with %j', (message, urls) => {
    for (const url of urls) expect([url, faultOfReceiver(url, elsewhere)]).toEqual([url, message]);
  });

  it('may not be of this service, in whatever case its name is written', () => {
    const surroundings = { ...elsewhere, ownHosts: ['API.Example.com'] };
    expect(faultOfReceiver('https://api.example.com/v1', surroundings)).toBeDefined();
  });

  it('may be on the same machine at a desk, but not the service itself', () => {
    const faults = (...urls: string[]) => urls.map((url) => faultOfReceiver(url, atADesk) !== undefined);
    expect(faults('http://127.0.0.1:3001', 'http://localhost:3001/hook?x', 'https://hooks.example.com')).toEqual([
      false,
      false,
      false,
    ]);
    expect(
      faults('http://localhost:3000', 'http://127.0.0.1:3000/v1', 'http://localhost', 'http://127.0.0.2:3001'),
    ).toEqual(Array(4).fill(true));
    expect(
      faults('http://localhost.example.com:3001', 'http://localhost:3001@evil.example', 'https://127.0.0.1:3001'),
    ).toEqual(Array(3).fill(true));
  });
});
