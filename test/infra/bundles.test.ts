import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tellsWebhooks } from '#infra/access.ts';
import { functionsOf, tables } from '#infra/functions.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { realStacks } from './stacks.ts';

const BUDGET_BYTES = 420 * 1_024;

/** Of whatever may leave events: what tells webhooks. */
const TELLING_BYTES = 200 * 1_024;

const telling = functionsOf(tables)
  .filter(tellsWebhooks)
  .map(({ name }) => `${name}/webhooks.js`);

/** Files that a function loads only when it needs them, beside its bundle: 520 KiB draw a PDF, mostly the library. */
const LATE_BUDGETS_BYTES: Readonly<Record<string, number>> = {
  'get-credit-note-pdf/draw-invoice.js': 530 * 1_024,
  'get-health/probe.js': 300 * 1_024,
  'get-invoice-pdf/draw-invoice.js': 530 * 1_024,
  ...Object.fromEntries(telling.map((file) => [file, TELLING_BYTES])),
};

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

  /** Functions behind the API are started in `test/api/cold-instances.isolated.test.ts`. */
  const operations = new Set(routes.map(({ operationId }) => kebabCase(operationId)));
  const others = functions.filter(([name]) => !operations.has(name));

  it.each(others)('%s loads with the environment that its stack gives it, and has a handler', async (_, plan) => {
    const script = `require('node:worker_threads').parentPort.postMessage(typeof require(${JSON.stringify(join(plan.codeFolder, 'index.js'))}).handler)`;
    const worker = new Worker(script, { eval: true, env: { ...plan.environment, AWS_REGION: 'eu-west-1' } });
    const [type] = await once(worker, 'message');
    await worker.terminate();
    expect(type).toBe('function');
  });

  /** The logger and the metrics of each function read theirs. */
  const settings = new Set(functions.flatMap(([, { environment }]) => Object.keys(environment)));
  const ofOurs = [...settings].filter((name) => !/^(?:POWERTOOLS_|LOG_LEVEL$)/.test(name));

  it.each(ofOurs)('are told %s exactly if they use it', (setting) => {
    for (const [name, { codeFolder, environment }] of functions) {
      const files = globSync('*.js', { cwd: codeFolder }).map((file) => readFileSync(join(codeFolder, file), 'utf8'));
      const isUsed = files.some((code) => code.includes(setting));
      expect(setting in environment, name).toBe(isUsed);
    }
  });

  it('have static files that Lambda can answer, gzipped and not, and whose names change with their content', () => {
    const files = ['get-docs', 'get-docs-asset', 'get-open-api'].flatMap((name) => {
      const folder = join(Object.fromEntries(functions)[name]?.codeFolder ?? '', 'assets');
      return readdirSync(folder).map((file) => [file, gunzipSync(readFileSync(join(folder, file)))] as const);
    });
    expect(files).toHaveLength(4);
    for (const [file, content] of files) {
      expect(content.toString('base64').length).toBeLessThan(6 * 1_024 * 1_024 - 10_000);
      const [, hash] = /\.([0-9a-f]{16})\.(?:js|css)\.gz$/.exec(file) ?? [];
      if (hash) expect(createHash('sha256').update(content).digest('hex').startsWith(hash)).toBe(true);
      else expect(['docs.html.gz', 'openapi.json.gz']).toContain(file);
    }
  });
});
