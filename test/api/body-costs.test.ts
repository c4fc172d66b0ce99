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
});
