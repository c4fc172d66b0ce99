import { describe, expect, it } from 'vitest';
import { invitationKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { hashInvitationCode } from '#shared/domain/organization/invitation.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

const pathOf = (id: string) => `/v1/users/${id}/invitations`;

describe('POST /v1/users/{id}/invitations', () => {
  it('lies in the table until it expires, or another one replaces it', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana);
    const invite = async () => (await ana.post(pathOf(id))).body.data;
    const storedOf = ({ code }: Json) => readItem(invitationKey(hashInvitationCode(code)));
    const first = await invite();
    const seconds = Math.ceil(Date.parse(first.expiresAt) / 1_000);
    expect(await storedOf(first)).toMatchObject({ userId: id, expiresAtEpochSeconds: seconds });
    expect(await storedOf(await invite())).toMatchObject({ userId: id });
    expect(await storedOf(first)).toBeUndefined();
  });

  it('lies there as it was when its user gets another name', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana);
    const key = invitationKey(hashInvitationCode((await ana.post(pathOf(id))).body.data.code));
    const before = await readItem(key);
    expect((await ana.patch(`/v1/users/${id}`, { name: 'Another name' })).status).toBe(200);
    expect(await readItem(key)).toEqual(before);
  });

  it('refuses a user who was removed', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana);
    await ana.delete(`/v1/users/${id}`);
    const { status, body } = await ana.post(pathOf(id));
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'user_removed' });
  });
});
