import { describe, expect, it } from 'vitest';
import { findUnlinking } from '#shared/data/unlinking.ts';
import { bookEntries, storedEntries } from '#test/support/bulk-entries.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { given } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

const own = useOwnCloud();

const MINUTE_MILLISECONDS = 60_000;

describe('a project whose deletion could not be told to the worker', () => {
  it('is deleted all the same, and unlinked by the sweep once five minutes have passed', async () => {
    const ana = await given.user();
    const project = await given.project(ana);
    const ids = await bookEntries(ana, project, 5, ['2026-11-20']);
    const subject = { kind: 'project', organizationId: ana.organization.id, id: project.id } as const;
    const endOutage = own.cloud.intercept((call) =>
      isOf(call, 'delete-project') && call.operation === 'SendMessage'
        ? { status: 500, body: '{"__type":"InternalFailure"}' }
        : undefined,
    );
    const reply = await ana.delete(`/v1/work/tracker/projects/${project.id}`);
    endOutage();
    expect(reply.status).toBe(200);
    expect((await ana.get(`/v1/work/tracker/entries/${ids[0]}`)).body.data.projectId).toBeNull();

    const sends: string[] = [];
    const stop = own.cloud.observe((call) => {
      if (isOf(call, 'sweep-unlinks') && call.operation === 'SendMessage') sends.push(call.requestBody);
    });
    const deletedAt = Date.parse((await findUnlinking(subject))?.createdAt ?? '');
    await own.cloud.fireSchedule('sweep-unlinks', new Date(deletedAt + 5 * MINUTE_MILLISECONDS - 2_000));
    expect(sends).toEqual([]);
    expect(await findUnlinking(subject)).toMatchObject(subject);

    await own.cloud.fireSchedule('sweep-unlinks', new Date(deletedAt + 5 * MINUTE_MILLISECONDS + 2_000));
    expect(sends).toHaveLength(1);
    await eventually(async () => ((await findUnlinking(subject)) ? undefined : true));
    expect([...(await storedEntries(ana, ids)).values()].map(({ projectId }) => projectId)).toEqual(
      Array(5).fill(null),
    );

    await own.cloud.fireSchedule('sweep-unlinks', new Date(deletedAt + 60 * MINUTE_MILLISECONDS));
    expect(sends).toHaveLength(1);
    stop();
  });
});
