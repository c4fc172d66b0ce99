import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

const REMOTE = '/v1/work/tracker/remote';
const HISTORY = `${REMOTE}/sync/history`;

describe('GET /v1/work/tracker/remote/sync/history/{id}', () => {
  it('is the import as the history has it, also without the connection', async () => {
    const ana = await given.user();
    const path = `${HISTORY}/${await given.importJob(ana)}`;
    const [row] = (await ana.get(HISTORY)).body.data;
    expect((await ana.get(path)).body).toEqual({ data: row });
    expect((await ana.delete(REMOTE)).status).toBe(200);
    expect((await ana.get(path)).body).toEqual({ data: row });
  });
});
