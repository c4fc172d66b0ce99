import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { decryptWebhookSecret, encryptWebhookSecret } from '#shared/data/events/webhook-secrets.ts';
import { decryptToken, encryptToken } from '#shared/data/remote/secrets.ts';
import { given } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

vi.hoisted(() => {
  process.env.SECRETS_KEY_ID = 'alias/billwright-secrets';
});

const own = useOwnCloud({ instances: true });

describe('a token', () => {
  it.each(['a-token', 'token-😀', 'x'.repeat(4_096)])('comes back as it was encrypted', async (token) => {
    const organizationId = randomUUID();
    const ciphertext = await encryptToken(organizationId, token);
    expect(Buffer.from(ciphertext, 'base64').includes(token)).toBe(false);
    expect(await decryptToken(organizationId, ciphertext)).toBe(token);
  });

  it('cannot be decrypted in the name of another organization', async () => {
    const ciphertext = await encryptToken(randomUUID(), 'token');
    await expect(decryptToken(randomUUID(), ciphertext)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidCiphertextException' }),
    );
  });

  it('is not stored while it cannot be encrypted: the caller is asked to come back', async () => {
    const ana = await given.user();
    const { accessToken, accountId } = await given.remoteAccount();
    const end = own.cloud.intercept((call) =>
      isOf(call, 'connect-remote') && call.service === 'kms'
        ? { status: 500, body: '{"__type":"KMSInternalException"}' }
        : undefined,
    );
    const reply = await ana.post('/v1/work/tracker/remote/connect', { accessToken, accountId });
    end();
    expect([reply.status, reply.body.code]).toEqual([503, 'temporarily_unavailable']);
    expect((await ana.get('/v1/work/tracker/remote')).body.data).toEqual({ connected: false });
  });
});

describe('the secret of a webhook', () => {
  it('cannot be decrypted in the name of another one, or of another organization', async () => {
    const owner = { organizationId: randomUUID(), id: randomUUID() };
    const ciphertext = await encryptWebhookSecret(owner, 'secret');
    expect(await decryptWebhookSecret(owner, ciphertext)).toBe('secret');
    for (const other of [{ id: randomUUID() }, { organizationId: randomUUID() }])
      await expect(decryptWebhookSecret({ ...owner, ...other }, ciphertext)).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidCiphertextException' }),
      );
  });
});
