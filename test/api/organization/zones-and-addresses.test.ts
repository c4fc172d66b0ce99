import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Zones and addresses that are none, as each operation that takes them answers over HTTP. */

type Refusal = readonly [value: string, code: string];

const ZONES: readonly Refusal[] = ['Mars/Olympus', '+01:00', '', '../etc/passwd'].map((value) => [value, 'time_zone']);

const ADDRESSES: readonly Refusal[] = [
  ['nobody', 'email'],
  [`${'x'.repeat(65)}@acme.example`, 'email'],
  [`bea@${'x'.repeat(64)}.example`, 'email'],
  ['b\u0000ea@acme.example', 'text_character'],
  ['bea@acme.example\r\nBcc: eve@acme.example', 'email'],
  [`bea@${'x.'.repeat(126)}example`, 'length'],
];

let ana: User;
let bea: Json;
let platform: Client;

beforeAll(async () => {
  ana = await given.user();
  bea = await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example', timeZone: 'Europe/Berlin' });
  platform = await given.platform();
});

const OWNED = { name: 'Never made', owner: { name: 'Ana' } };

describe.each([
  ['POST /v1/users', 'timeZone', (timeZone: string) => ana.post('/v1/users', { name: 'Cem', timeZone })],
  ['PATCH /v1/users/{id}', 'timeZone', (timeZone: string) => ana.patch(`/v1/users/${bea.id}`, { timeZone })],
  ['PATCH /v1/me', 'timeZone', (timeZone: string) => ana.patch('/v1/me', { timeZone })],
  ['PATCH /v1/organization', 'timeZone', (timeZone: string) => ana.patch('/v1/organization', { timeZone })],
  [
    'POST /v1/organizations',
    'timeZone',
    (timeZone: string) => platform.post('/v1/organizations', { ...OWNED, timeZone }),
  ],
  ['POST /v1/users', 'email', (email: string) => ana.post('/v1/users', { name: 'Cem', email })],
  ['PATCH /v1/users/{id}', 'email', (email: string) => ana.patch(`/v1/users/${bea.id}`, { email })],
  [
    'POST /v1/organizations',
    'owner.email',
    (email: string) => platform.post('/v1/organizations', { ...OWNED, owner: { name: 'Ana', email } }),
  ],
] as const)('%s', (_, path, send) => {
  it.each(path === 'timeZone' ? ZONES : ADDRESSES)(
    `refuses the ${path} %j, and changes nothing`,
    async (value, code) => {
      const present = async () => [
        (await ana.get('/v1/users')).body,
        (await ana.get('/v1/organization')).body,
        (await platform.get('/v1/organizations', { limit: 200 })).body.data.filter(
          ({ name }: Json) => name === OWNED.name,
        ),
      ];
      const before = await present();
      const { status, body } = await send(value);
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
      expect(body.errors).toEqual([{ path, message: expect.any(String), code }]);
      expect(await present()).toEqual(before);
    },
  );
});
