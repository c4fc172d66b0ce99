import { beforeEach, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer/active';

describe(`GET ${path}`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user();
  });

  const active = async () => (await ana.get(path)).body.data;

  it('answers a timer that has run for months', async () => {
    const startedAt = new Date(Date.now() - 100 * 24 * 60 * 60 * 1_000);
    const { id } = await given.timerSince(ana, startedAt);
    expect(await active()).toMatchObject({
      id,
      status: 'running',
      startedAt: startedAt.toISOString(),
      durationMinutes: null,
    });
  });

  it('shows the present names of its project and its client', async () => {
    const [client, project] = [await given.client(ana), await given.project(ana)];
    const [clientPath, projectPath] = [`/clients/${client.id}`, `/v1/work/tracker/projects/${project.id}`];
    await given.timer(ana, { clientId: client.id, projectId: project.id });
    expect(await active()).toMatchObject({ clientName: client.name, projectName: project.name });
    await ana.patch(clientPath, { name: 'Southwind' });
    await ana.patch(projectPath, { name: 'Relaunch' });
    expect(await active()).toMatchObject({ clientName: 'Southwind', projectName: 'Relaunch' });
  });
});
