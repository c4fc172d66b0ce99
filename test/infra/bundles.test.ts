import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { realStacks } from './stacks.ts';

const BUDGET_BYTES = 400 * 1_024;

/** What a function loads only when it needs it, beside its bundle: 452 KiB draw a PDF, of which most is the library. */
const LATE_BUDGETS_BYTES: Readonly<Record<string, number>> = { 'get-invoice-pdf/draw-invoice.js': 500 * 1_024 };

/** It speaks of all routes by its nature: it answers what no route takes. */
const KNOWS_ALL_ROUTES = 'unmatched-route';

describe('bundles', async () => {
  const { blueprint } = await realStacks();
  const functions = blueprint.functions.map((plan) => [plan.name.replace('billwright-', ''), plan] as const);

  it.each(functions)('%s is within the budget', (_, { codeFolder }) => {
    expect(statSync(join(codeFolder, 'index.js')).size).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it('have late modules within budgets of their own, and no others', () => {
    const late = functions.flatMap(([name, { codeFolder }]) =>
      readdirSync(codeFolder)
        .filter((file) => file.endsWith('.js') && file !== 'index.js')
        .map((file) => ({ name: `${name}/${file}`, bytes: statSync(join(codeFolder, file)).size })),
    );
    expect(late.map(({ name }) => name).sort()).toEqual(Object.keys(LATE_BUDGETS_BYTES).sort());
    for (const { name, bytes } of late) expect(bytes).toBeLessThanOrEqual(LATE_BUDGETS_BYTES[name] ?? 0);
  });

  it.each(functions.filter(([name]) => name !== KNOWS_ALL_ROUTES))(
    '%s holds no contract but its own',
    (name, { codeFolder }) => {
      const code = readFileSync(join(codeFolder, 'index.js'), 'utf8');
      const names = new Set([...code.matchAll(/operationId:"(\w+)"/g)].map(([, operationId]) => operationId));
      const held = routes.filter(({ operationId }) => names.has(operationId));
      const own = routes.filter(({ operationId }) => kebabCase(operationId) === name);
      expect(held.map(({ operationId }) => operationId)).toEqual(own.map(({ operationId }) => operationId));
    },
  );

  it.each(functions)('%s loads with the environment that its stack gives it, and has a handler', async (_, plan) => {
    const script = `require('node:worker_threads').parentPort.postMessage(typeof require(${JSON.stringify(join(plan.codeFolder, 'index.js'))}).handler)`;
    const worker = new Worker(script, { eval: true, env: { ...plan.environment, AWS_REGION: 'eu-west-1' } });
    const [type] = await once(worker, 'message');
    await worker.terminate();
    expect(type).toBe('function');
  });

  it('of the page have its assets beside them', () => {
    const plan = blueprint.functions.find(({ name }) => name === 'billwright-get-docs-asset');
    for (const asset of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
      expect(statSync(join(plan?.codeFolder ?? '', 'assets', asset)).size).toBeGreaterThan(10_000);
    }
  });
});
