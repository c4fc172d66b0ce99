import { expect, it } from 'vitest';
import { handler as closeImport } from '#functions/remote/close-import.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { eventsOf, presentEnd } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { deliver, importBy, row, useHeldQueue } from '#test/support/imports.ts';

useHeldQueue();

it('what a worker does for a person who has signed in, that person did', async () => {
  const ana = await given.user();
  const end = await presentEnd(ana);
  const request = importBy(ana, [row()], { keyId: null });
  const { organizationId, jobId } = request;
  await startImport(request);
  const message = { organizationId, jobId, units: [] };
  await deliver(closeImport, message);
  const events = await eventsOf(ana, end);
  const actor = { userId: ana.userId, keyId: null, via: 'sign_in' };
  expect(events.map(({ type, data }) => [type, data.object.id, data.actor])).toEqual([
    ['import.started', jobId, actor],
    ['import.failed', jobId, actor],
  ]);
});
