import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { USUAL_MEGABYTES } from '#scripts/local/instance.ts';
import { useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

let endsInstance = false;

const fixture = useFixtureCloud({ endsInstance: () => endsInstance });

async function failureOf(name: string, behaviour: object): Promise<{ errorType: string; errorMessage: string }> {
  const { payload, functionError } = await fixture.cloud.invoke(name, behaviour);
  expect(functionError).toBe('Unhandled');
  return JSON.parse(payload);
}

describe('a function', () => {
  it('sees the environment of its template and of Lambda, how much time it has, and nothing of this machine', async () => {
    const { environment, context } = (await fixture.run('echo')) as Record<string, Record<string, unknown>>;
    expect(context?.remainingMilliseconds).toBeGreaterThan(10_000);
    expect(context?.remainingMilliseconds).toBeLessThanOrEqual(20_000);
    expect(environment).toMatchObject({
      GREETING: 'hello',
      TABLE_NAME: fixture.cloud.tableName,
      AWS_LAMBDA_FUNCTION_NAME: 'fixture-echo',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    });
    const ofTemplate = ['GREETING', 'KEY_ID', 'TABLE_NAME'];
    const ownNames = new Set([...ofTemplate, 'ALLOWS_LOOPBACK', 'TZ', 'LANG', '_HANDLER', '_X_AMZN_TRACE_ID']);
    const others = Object.keys(environment ?? {}).filter((name) => !ownNames.has(name) && !/^(AWS|LAMBDA)_/.test(name));
    expect(others).toEqual([]);
  });

  it('has what its template tells Node.js', async () => {
    const { payload } = await fixture.cloud.invoke('patient', { do: 'throw' });
    expect(JSON.parse(payload).trace).toHaveLength(2);
  });

  it('stands still when it has answered, and goes on with what it left running at its next event', async () => {
    const { ranOn } = (await fixture.run('single', { do: 'count' })) as { ranOn: number };
    await fixture.run('single', { do: 'leave-running' });
    await sleep(300);
    expect(await fixture.run('single', { do: 'count' })).toMatchObject({ ranOn });
    await fixture.run('single', { do: 'sleep', milliseconds: 100 });
    expect(await fixture.run('single', { do: 'count' })).toMatchObject({ ranOn: ranOn + 1 });
  });

  it('loses its state where its instance is ended between two events', async () => {
    await fixture.run('single', { do: 'count' });
    endsInstance = true;
    await fixture.run('single', { do: 'count' });
    endsInstance = false;
    expect(await fixture.run('single', { do: 'count' })).toMatchObject({ invocations: 1 });
  });

  it('works on one event at a time in each instance, and no more instances than it may have', async () => {
    const startedAt = performance.now();
    await Promise.all([1, 2, 3].map(() => fixture.run('single', { do: 'sleep', milliseconds: 100 })));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
  });

  it('is given its events in the order in which they came', async () => {
    const counts = await Promise.all(Array.from({ length: 10 }, () => fixture.run('single', { do: 'count' })));
    const invocations = counts.map((count) => (count as { invocations: number }).invocations);
    expect(invocations).toEqual(invocations.map((_, position) => Number(invocations[0]) + position));
  });

  it('gets more instances when events come at once, and no more than can compute at once', async () => {
    const events = Array.from({ length: 40 }, () => fixture.run('patient', { do: 'compute', milliseconds: 50 }));
    const instances = (await Promise.all(events)).map((result) => (result as { instance: string }).instance);
    expect(new Set(instances).size).toBeGreaterThan(1);
    expect(new Set(instances).size).toBeLessThanOrEqual(Math.max(2, availableParallelism()));
  });

  it('gets a further instance while events of others wait for somebody', async () => {
    const waiting = ['patient', 'patient', 'single'].map((name) =>
      fixture.cloud.invoke(name, { do: 'sleep', milliseconds: 15_000 }),
    );
    const answered = await Promise.race([...waiting, fixture.cloud.invoke('patient', { do: 'count' })]);
    expect(JSON.parse(answered.payload)).toHaveProperty('ranOn');
    await Promise.all(['patient', 'single'].map((name) => fixture.cloud.killInstances(name)));
    expect((await Promise.all(waiting)).map(({ functionError }) => functionError)).toEqual(Array(3).fill('Unhandled'));
  });

  it('is ended when its time is over, however busy it is', async () => {
    expect(await failureOf('behave', { do: 'loop' })).toMatchObject({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringContaining('timed out after 1.00 seconds'),
    });
  });

  it.each([
    [{ do: 'throw' }, { errorType: 'RangeError', errorMessage: 'thrown on purpose' }],
    [{ do: 'exit' }, { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with code 3' }],
    [{ do: 'reject-later' }, { errorMessage: 'rejected on purpose' }],
    [{ do: 'return-bytes', bytes: 7_000_000 }, { errorType: 'Function.ResponseSizeTooLarge' }],
  ])('fails its own event only with %j', async (behaviour, failure) => {
    const neighbours = ['behave', 'behave', 'single', 'patient'].map((name) =>
      fixture.run(name, { do: 'sleep', milliseconds: 150 }),
    );
    expect(await failureOf('patient', behaviour)).toMatchObject(failure);
    await Promise.all(neighbours);
    expect(await fixture.run('patient', { do: 'count' })).toBeDefined();
  });

  it.each(['exhaust-memory', 'exhaust-memory-in-one-step'])('cannot take more memory than it has: %s', async (way) => {
    const lines: unknown[] = [];
    const end = fixture.cloud.logs.subscribe(({ record }) => lines.push(record.message));
    // `single` does the same as `behave`, and has the time for it on a busy machine.
    const neighbours = [1, 2, 3].map(() => fixture.run('behave', { do: 'sleep', milliseconds: 500 }));
    const { payload, functionError } = await fixture.cloud.invoke('single', { do: way });
    end();
    expect(functionError).toBe('Unhandled');
    expect(JSON.parse(payload)).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: 'Runtime exited with error: signal: aborted',
    });
    expect(lines.join()).toContain('heap out of memory');
    await Promise.all(neighbours);
    expect(await fixture.run('single', { do: 'count' })).toMatchObject({ invocations: 1 });
  });

  it('that cannot be loaded fails each event with the reason', async () => {
    const { payload } = await fixture.cloud.invoke('broken', {});
    expect(JSON.parse(payload).errorMessage).toBe('The environment lacks a valid SETTING.');
  });

  it('writes to the log, line by line, with the request that it worked on', async () => {
    const lines: unknown[] = [];
    const end = fixture.cloud.logs.subscribe((line) => lines.push(line));
    await fixture.run('behave', { do: 'log' });
    await expect.poll(() => lines.length).toBe(2);
    end();
    const common = { functionName: 'fixture-behave', requestId: expect.any(String) };
    expect(lines).toContainEqual(
      expect.objectContaining({ ...common, record: { level: 'INFO', message: 'structured' } }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ ...common, record: { level: 'ERROR', message: 'plain text' } }),
    );
  });
});

describe('the memory of all instances together', () => {
  const limited = useFixtureCloud({ maximumMegabytes: 4 * USUAL_MEGABYTES });
  const count = async (name: string) =>
    ((await limited.run(name, { do: 'count' })) as { invocations: number }).invocations;

  it('has room for as many as fit', async () => {
    expect([await count('single'), await count('behave'), await limited.run('echo')]).toMatchObject([1, 1, {}]);
    expect([await count('single'), await count('behave')]).toEqual([2, 2]);
  });

  it('is taken from a second instance, before a function loses its only one', async () => {
    await Promise.all([1, 2, 3].map(() => limited.run('behave', { do: 'sleep', milliseconds: 800 })));
    await limited.run('echo');
    expect(await count('single')).toBe(3);
  });

  it('is taken from those that were idle longest, once one has taken too much of it', async () => {
    await limited.run('behave', { do: 'keep-bytes', bytes: 4 * USUAL_MEGABYTES * 1_048_576 });
    await limited.call('caller', 'dynamodb.describeTable', { TableName: limited.cloud.tableName });
    expect(await count('single')).toBe(1);
  });
});
