import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { COSTLY_BODIES } from '#test/support/costly-bodies.ts';
import { given, type User } from '#test/support/given.ts';

const MEBIBYTE = 1_048_576;
const CONFIRM = '/v1/work/tracker/remote/sync/confirm';

describe('a body that unpacks to far more than was sent', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    await given.connection(ana);
  });

  const packed = (name: string, mebibytes: number) => gzipSync(COSTLY_BODIES[name]?.(mebibytes * MEBIBYTE) ?? '');

  const refusalOf = async (path: string, rawBody: Buffer<ArrayBuffer>) => {
    const { status, body } = await ana.send('POST', path, { rawBody, headers: { 'content-encoding': 'gzip' } });
    return { status, code: body.code };
  };

  const tooLarge = { status: 413, code: 'payload_too_large' };

  it('is refused where 31 KB hold 10.8 million empty arrays, and ends nothing', async () => {
    const names = ['empty arrays in a list', 'empty arrays in a member that nobody knows', 'empty arrays at the top'];
    // All are made first: an idle connection would be closed meanwhile.
    const attacks = names.map((name) => packed(name, 32));
    for (const attack of attacks) {
      expect(attack.length).toBeLessThan(33_000);
      expect(await refusalOf(CONFIRM, attack)).toEqual(tooLarge);
    }
    expect((await ana.get('/health')).status).toBe(200);
  });

  it('is refused where 8 KB hold four million wrong tags', async () => {
    const attack = packed('zeros for texts', 8);
    expect(attack.length).toBeLessThan(8_500);
    expect(await refusalOf('/v1/work/tracker/projects', attack)).toEqual(tooLarge);
  });

  it('is refused for the length of a list where it is within the limits', async () => {
    const rawBody = JSON.stringify({ name: 'x', tags: Array(100_000).fill(0) });
    const { status, body } = await ana.send('POST', '/v1/work/tracker/projects', { rawBody });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ path: 'tags', message: 'Expected at most 20 items.', code: 'length' }]);
  });

  it('lists a hundred of a hundred thousand faults', async () => {
    const rawBody = packed('rows without a right value', 32);
    const headers = { 'content-encoding': 'gzip' };
    const { status, body } = await ana.send('POST', CONFIRM, { rawBody, headers });
    expect(status).toBe(422);
    expect(body.errors).toHaveLength(100);
    expect(body.detail).toMatch(/There are over 1000 faults in all\.$/);
  });
});
