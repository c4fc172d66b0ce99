import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusal, runScript } from '#test/support/programs.ts';
import manifest from '../../package.json' with { type: 'json' };

const preflight = join(import.meta.dirname, '../../scripts/preflight.js');

interface Disguise {
  readonly version?: string;
  readonly system?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Asks with `parameters` as on another machine. */
async function asked(parameters: readonly string[], { version = '24.21.0', system, environment = {} }: Disguise) {
  const [platform, arch] = system?.split('-') ?? [process.platform, process.arch];
  const members = { versions: { node: version }, platform, arch };
  const disguise = Object.entries(members)
    .map(([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`)
    .join('');
  const imported = `data:text/javascript,${disguise}`;
  return runScript('--import', [imported, preflight, ...parameters], environment);
}

const WELCOME = { code: 0, output: '', complaint: '' };

describe('Node.js', () => {
  it.each([{ version: '22.12.0' }, { version: '20.20.2', system: 'darwin-arm64' }])(
    '$version is refused in one line that says where to get another: $system',
    async (disguise) => {
      expect(await asked(['--emulator'], disguise)).toEqual(
        refusal(
          expect.stringMatching(/^Billwright needs Node\.js 24, .*"npm ci" installs it .*https:\/\/nodejs\.org\.\n$/),
        ),
      );
    },
  );

  it.each(['24.0.0', '26.1.0'])('%s is welcome', async (version) => {
    expect(await asked(['--emulator'], { version })).toEqual(WELCOME);
  });
});

describe('the DynamoDB emulator', () => {
  const version = manifest.optionalDependencies['@dynoxide/linux-x64'];

  it.each([
    ['darwin-arm64', `"npm install --no-save @dynoxide/darwin-arm64@${version}", or run another`],
    ['darwin-x64', `"npm install --no-save @dynoxide/darwin-x64@${version}", or run another`],
    ['linux-arm64', `"npm install --no-save @dynoxide/linux-arm64@${version}", or run another`],
    ['win32-x64', 'run another'],
  ])('that is not there for %s is explained in one line that says what to do', async (system, remedy) => {
    expect(await asked(['--emulator'], { system })).toEqual(
      refusal(
        `No DynamoDB emulator is installed for ${system}: ${remedy}, for example DynamoDB Local, and set DYNAMODB_ENDPOINT to its address.\n`,
      ),
    );
  });

  it('is not missed by a command that needs none, or where another runs', async () => {
    const system = 'darwin-arm64';
    const environment = { DYNAMODB_ENDPOINT: 'http://localhost:8000' };
    expect(await asked([], { system })).toEqual(WELCOME);
    expect(await asked(['--emulator'], { system, environment })).toEqual(WELCOME);
  });
});

describe('every command', () => {
  const WITH_EMULATOR = ['bench', 'dev', 'search', 'start', 'test', 'test:slow'];
  const programs = Object.entries(manifest.scripts).filter(([, command]) =>
    /\bnode \S+\.ts\b|\bvitest\b/.test(command),
  );

  it.each(programs)('asks before any TypeScript is loaded: %s', (name, command) => {
    const asks = WITH_EMULATOR.includes(name)
      ? 'node scripts/preflight.js --emulator && '
      : 'node scripts/preflight.js && ';
    expect(command.slice(0, asks.length)).toBe(asks);
  });

  it('is understood by an older Node.js so far', () => {
    expect(programs.length).toBeGreaterThan(WITH_EMULATOR.length);
    expect(manifest.engines.node).toBe('>=24');
    expect(readFileSync(preflight, 'utf8')).not.toMatch(/^import |require\(/m);
  });
});
