import { describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

const REMOTE = '/v1/work/tracker/remote';
const HISTORY = `${REMOTE}/sync/history`;

describe('GET /v1/work/tracker/remote/sync/history/{id}', () => {
  async function imported(): Promise<{ ana: User; path: string }> {
    const ana = await given.user();
    return { ana, path: `${HISTORY}/${await given.importJob(ana)}` };
  }

  it('is the import as the history has it, also without the connection', async () => {
    const { ana, path } = await imported();
    const [row] = (await ana.get(HISTORY)).body.data;
    expect((await ana.get(path)).body).toEqual({ data: row });
    expect((await ana.delete(REMOTE)).status).toBe(200);
    expect((await ana.get(path)).body).toEqual({ data: row });
  });

  it('has the tag that an undo takes, and is a 304 to whoever has it', async () => {
    const { ana, path } = await imported();
    const etag = (await ana.get(path)).headers.get('etag') ?? '';
    const again = () => ana.send('GET', path, { headers: { 'if-none-match': etag } });
    const undo = () => ana.send('POST', `${path}/undo`, { headers: { 'if-match': etag } });
    expect(await again()).toMatchObject({ status: 304, body: '' });
    expect((await undo()).status).toBe(200);
    expect(await again()).toMatchObject({ status: 200, body: { data: { status: 'undone' } } });
    expect((await undo()).status).toBe(412);
  });
});
