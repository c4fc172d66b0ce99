import * as v from 'valibot';
import { createdAt, integer, organizationId, timestamp, uuid } from '#shared/contract/fields.ts';
import { component, described } from '#shared/contract/meaning.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';

export const apiKey = component('ApiKey', 'A key of the organization, without its secret.', {
  id: described(uuid, 'The id of the key, which is not the key itself.'),
  name: described(v.string(), 'The name given by its maker.'),
  organizationId,
  userId: described(uuid, 'The user that the key belongs to.'),
  scopes: described(v.array(v.picklist(SCOPES)), 'The scopes that the key holds.'),
  rateLimit: described(integer, 'The number of requests that the key allows per minute.'),
  expiresAt: described(v.nullable(timestamp), 'When the key expires; null: never.'),
  createdByKeyId: described(
    v.nullable(uuid),
    'The key that made this one, and with which it ends; null for one that an operator or a person who signed in made.',
  ),
  createdAt,
});

export const exampleApiKey = {
  id: '019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f',
  name: 'Reporting',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  scopes: ['products:read'],
  rateLimit: 600,
  expiresAt: null,
  createdByKeyId: '019aa2f4-7900-7c4e-b2d8-1e3f5a7b9c0d',
  createdAt: '2026-11-20T09:30:00.000Z',
};
