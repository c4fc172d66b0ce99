import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /v1/work/tracker/entries/{id}', () => {
  it('answers what was just written, and 404 for what does not exist', async () => {
    const ana = await given.user();
    const entry = await given.entry(ana);
    const reply = await ana.get(`/v1/work/tracker/entries/${entry.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(entry);
    expect((await ana.get(`/v1/work/tracker/entries/${randomUUID()}`)).status).toBe(404);
  });
});
