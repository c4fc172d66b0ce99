import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { staticFile } from '#shared/http/static-file.ts';

vi.mock('node:fs/promises', async (original) => ({ ...(await original<object>()), readFile: vi.fn() }));

const read = vi.mocked(readFile);
beforeEach(() => void read.mockReset());

const ask = (name: string) => staticFile(name, { contentType: 'text/css' });

describe('a static file', () => {
  it('is read once by a function, and its tag is that of what is in it', async () => {
    read.mockResolvedValueOnce(Buffer.from('one')).mockResolvedValueOnce(Buffer.from('other'));
    const [one, again, other] = [await ask('one.css'), await ask('one.css'), await ask('other.css')];
    expect(read.mock.calls.map(([path]) => String(path).split('/').slice(-2).join('/'))).toEqual([
      'assets/one.css.gz',
      'assets/other.css.gz',
    ]);
    expect(again).toEqual(one);
    expect(other.headers?.etag).not.toBe(one.headers?.etag);
  });

  it.each([
    ['ENOENT', 'not_found'],
    ['EMFILE', 'EMFILE'],
  ])('that cannot be read is missing only where it is not there: %s', async (fault, code) => {
    read.mockRejectedValueOnce(Object.assign(new Error('It came to nothing.'), { code: fault }));
    await expect(ask(`${fault}.css`)).rejects.toMatchObject({ code });
  });
});
