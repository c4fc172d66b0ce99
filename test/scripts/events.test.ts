import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { given } from '#test/support/given.ts';
import { startProgram } from '#test/support/programs.ts';

const script = join(import.meta.dirname, '../../scripts/events.ts');

function listen(apiKey: string, ...words: string[]) {
  const { port } = new URL(inject('hosting').url);
  const running = startProgram(process.execPath, [script, 'listen', ...words], { PORT: port, KEY: apiKey });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return { written: running.printed, ended: running.ended };
}

describe('npm run events', () => {
  it('verifies what comes, outlives what is no event, and takes its webhook along when it ends', async () => {
    const ana = await given.user();
    const { written, ended } = listen(ana.apiKey, '--types', 'client.*', '--count', '1');
    await expect.poll(() => written.complaint, { timeout: 20_000 }).toContain('Listening at ');
    const [url = ''] = /http:[^ ]+\d/.exec(written.complaint) ?? [];
    expect((await fetch(url, { method: 'POST', body: 'no event' })).status).toBe(400);
    const { id } = await given.client(ana);
    expect(await ended).toBe(0);
    expect(written.output).toBe(`1 client.created ${JSON.stringify({ type: 'client', id })} verified\n`);
    expect((await ana.get('/v1/webhooks')).body.meta.total).toBe(0);
  });

  it('ends with the reason where it may make no webhook', async () => {
    const { written, ended } = listen((await given.user({ scopes: ['clients:read'] })).apiKey);
    expect([await ended, written.complaint]).toEqual([1, 'The caller lacks the scope webhooks:write.\n']);
  });

  it.each(['x', '0'])('refuses to end after %s events', async (count) => {
    const { written, ended } = listen('bw_', '--count', count);
    expect([await ended, written.complaint]).toEqual([1, expect.stringContaining('--count: a number from 1 on.')]);
  });
});
