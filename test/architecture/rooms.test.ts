import { dirname } from 'node:path';
import typescript from 'typescript';
import { describe, expect, it } from 'vitest';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { importedModule, modulesIn, sourceOf } from './modules.ts';

const { preProcessFile } = typescript;

/**
 * Who may import whom. A room is a folder; of a floor that is divided into areas, each area is one, and what lies beside them is another. Imports
 * point downward only: `remote` may know `tracker`, on every floor, and not the other way round.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'shared/domain': [],
  'shared/domain/keys': ['shared/domain'],
  'shared/domain/events': ['shared/domain', 'shared/domain/keys'],
  'shared/domain/organization': ['shared/domain'],
  'shared/domain/products': ['shared/domain'],
  'shared/domain/clients': ['shared/domain'],
  'shared/domain/tracker': ['shared/domain'],
  'shared/domain/remote': ['shared/domain', 'shared/domain/tracker'],
  'shared/domain/invoices': [
    'shared/domain',
    'shared/domain/organization',
    'shared/domain/clients',
    'shared/domain/products',
    'shared/domain/tracker',
  ],
  'shared/runtime': [],
  'shared/contract': ['shared/domain/*'],
  'shared/contract/*': ['shared/contract', 'shared/domain/*'],
  shared: ['shared/contract/*'],
  'shared/data/layout': [],
  'shared/data/table': ['shared/data/layout', 'shared/domain', 'shared/runtime'],
  'shared/data/keys': onTable(),
  'shared/data/events': onTable('keys'),
  'shared/data/organization': onTable('directory'),
  'shared/data/sign-in': onTable('events', 'keys'),
  'shared/data/idempotency': onTable(),
  'shared/data/external-ids': onTable(),
  'shared/data/products': onTable('external-ids'),
  'shared/data/directory': onTable(),
  'shared/data/clients': onTable('directory', 'external-ids'),
  'shared/data/holds': onTable(),
  'shared/data/tracker': onTable('directory', 'clients', 'holds'),
  'shared/data/remote': onTable('directory', 'holds', 'tracker'),
  'shared/data/invoices': onTable('organization', 'directory', 'clients', 'products', 'external-ids', 'holds'),
  'shared/work/*': ['shared/data/*', 'shared/queue', ...below()],
  'shared/remote': ['shared/domain/*', 'shared/runtime'],
  'shared/e-invoice': ['shared/domain/*'],
  'shared/pdf/words': ['shared/domain'],
  'shared/pdf/typesetter': ['shared/runtime'],
  'shared/pdf': ['shared/pdf/words', 'shared/pdf/typesetter', 'shared/domain/*', 'shared/runtime'],
  'shared/openapi': ['shared/contract/*', 'shared/domain/*'],
  'shared/openapi/page': ['shared/openapi', 'shared/contract/*', 'shared/domain/*'],
  'shared/openapi/page/browser': [],
  'shared/queue': ['shared', 'shared/data/*', ...below()],
  'shared/caller/sign-in': ['shared/domain', 'shared/runtime'],
  'shared/caller': ['shared/caller/sign-in', 'shared/queue', 'shared/data/*', ...below()],
  'shared/http': ['shared/caller', 'shared/queue', 'shared/data/*', ...below()],
  'functions/*': ['shared/*'],
  'infra/*': ['infra/*', 'shared', 'shared/contract/*', 'shared/data/layout', 'shared/data/table', 'shared/runtime'],
  'scripts/local/plans': ['scripts/local', 'shared/runtime'],
  'scripts/local': ['scripts', 'scripts/local/plans', 'shared/data/layout', 'shared/data/table', 'shared/runtime'],
  'scripts/*': ['scripts/*', 'infra/*', 'shared/*'],
};

/** Nobody imports what lies beside the face of such a room, but its own tests and tools. */
const FACES: Readonly<Record<string, { readonly face: string; readonly insiders?: readonly string[] }>> = {
  'shared/caller': { face: 'caller.ts', insiders: ['test'] },
  'shared/e-invoice': { face: 'e-invoice.ts', insiders: ['scripts/judge', 'test'] },
  // The build copies the fonts, and must not load what draws with them.
  'shared/pdf/typesetter': { face: 'typesetter.ts', insiders: ['scripts/build', 'test/architecture'] },
};

function below(): string[] {
  return ['shared/contract/*', 'shared/domain/*', 'shared/runtime'];
}

/** Storage knows nothing of the API: a member that is renamed there is no other layout. */
function onTable(...areas: readonly string[]): string[] {
  const rooms = ['layout', 'table', ...areas].map((area) => `shared/data/${area}`);
  return [...rooms, 'shared/domain/*', 'shared/runtime'];
}

/**
 * An index may lag behind the table, so nothing reads one but these. The contract lets lists lag that are in another order than by creation. The sync
 * scheduler leases what an index shows, which fails unless it is true.
 */
const READS_OF_INDEXES: Readonly<Record<string, readonly string[]>> = {
  'shared/data/clients/clients.ts': ["name: 'byName'"],
  'shared/data/invoices/credit-notes.ts': ["issueDate: 'byIssueDate'", "number: 'byNumber'", "total: 'byTotal'"],
  'shared/data/invoices/invoices.ts': [
    "issueDate: 'byIssueDate'",
    "dueDate: 'byDueDate'",
    "number: 'byNumber'",
    "total: 'byTotal'",
  ],
  'shared/data/table/due.ts': ["index: 'byDue'"],
};

const files = modulesIn(['shared', 'functions', 'infra', 'scripts']);

/** The modules of this project that a file imports, types too, as paths from the root. */
function importsOf(file: string): string[] {
  const { importedFiles } = preProcessFile(sourceOf(file));
  return importedFiles.flatMap(({ fileName }) => importedModule(file, fileName) ?? []);
}

/** `shared/data/tracker/entries.ts` is in `shared/data/tracker`, `shared/domain/money.ts` in `shared/domain`. */
const roomOf = (file: string): string => dirname(file);

/** `a/*` names `a` and all that is in it. */
const isIn = (room: string, name: string): boolean =>
  name.endsWith('/*') ? `${room}/`.startsWith(name.slice(0, -1)) : room === name;

function allowedIn(room: string): readonly string[] | undefined {
  return ROOMS[room] ?? Object.entries(ROOMS).find(([name]) => isIn(room, name))?.[1];
}

describe('rooms', () => {
  it.each(files)('%s imports from its own room and those below only', (file) => {
    const room = roomOf(file);
    const allowed = allowedIn(room);
    expect(allowed, `${room} is no room`).toBeDefined();
    const forbidden = importsOf(file).filter(
      (imported) => roomOf(imported) !== room && !allowed?.some((name) => isIn(roomOf(imported), name)),
    );
    expect(forbidden).toEqual([]);
  });

  it.each(Object.entries(FACES))('%s is known by its face alone', (room, { face, insiders = [] }) => {
    const outside = [...files, ...modulesIn(['test'])].filter(
      (file) => ![room, ...insiders].some((folder) => file.startsWith(`${folder}/`)),
    );
    const known = outside.flatMap(importsOf).filter((imported) => imported.startsWith(`${room}/`));
    expect(new Set(known)).toEqual(new Set([`${room}/${face}`]));
  });

  it('answers for its health without entries and holds', () => {
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const imported of importsOf(file)) load(imported);
    };
    load('functions/meta/get-health.ts');
    expect([...loaded].filter((file) => /\/(?:entry|entries|hold|holds)\b/.test(file))).toEqual([]);
  });

  it('names no key in a handler or in what handlers share', () => {
    const above = files.filter((file) => /^(?:functions|shared\/work)\//.test(file));
    expect(above.filter((file) => importsOf(file).includes('shared/data/layout/keys.ts'))).toEqual([]);
  });

  it('shows nothing in storage: what an answer shows is made above it', () => {
    const showing = files.filter(
      (file) => file.startsWith('shared/data/') && /\b(?:present|show)[A-Z]/.test(sourceOf(file)),
    );
    expect(showing).toEqual([]);
  });

  it('keeps the domain free of clocks, environment and I/O', () => {
    for (const file of files.filter((path) => path.startsWith('shared/domain/'))) {
      const source = sourceOf(file);
      expect(source, file).not.toMatch(
        /Date\.now|new Date\(\)|process\.|Math\.random|randomUUID|randomBytes|fetch\(|node:(?:fs|net|http|os)/,
      );
    }
  });

  it('reaches other hosts through the way out, which checks their addresses, and AWS through its clients alone', () => {
    const own = files.filter((file) => /^(?:shared|functions)\//.test(file) && !file.includes('/page/browser/'));
    const reaching = own.filter((file) =>
      /from '(?:node:)?(?:https?|http2|tls|dgram)'|'undici|node-http-handler|(?<![#.\w])fetch\(|globalThis\.fetch/.test(
        sourceOf(file),
      ),
    );
    expect(reaching).toEqual(['shared/runtime/aws-http.ts', 'shared/runtime/way-out.ts']);
  });

  it('keeps nothing beside the calls but the deadline', () => {
    const ambient = files.filter((file) => /AsyncLocalStorage|executionAsync/.test(sourceOf(file)));
    expect(ambient).toEqual(['shared/runtime/deadline.ts']);
  });

  it('reads indexes only where a list may lag, or what it says is checked', () => {
    const named = new RegExp(`(?:\\w+: )?'(?:${tableDefinition.indexes.map(({ name }) => name).join('|')})'`, 'g');
    const reading = files.filter((file) => /^(?:functions|shared\/(?:data|work|http|queue))\//.test(file));
    const found = reading
      .filter((file) => file !== 'shared/data/table/table-definition.ts')
      .map((file) => [file, sourceOf(file).match(named)]);
    expect(Object.fromEntries(found.filter(([, names]) => names))).toEqual(READS_OF_INDEXES);
    const asking = reading.filter((file) => sourceOf(file).includes('IndexName:'));
    expect(asking).toEqual(['shared/data/table/collection.ts']);
  });

  it('names a member as an item of a transaction only where such items are made: the build widens a role by it', () => {
    const named = files.filter((file) => /\b(?:ConditionCheck|Delete|Put|Update):/.test(sourceOf(file)));
    expect(named.filter((file) => /^(?:shared|functions)\//.test(file))).toEqual([
      'shared/data/idempotency/attempts.ts',
      'shared/data/table/shards.ts',
      'shared/data/table/writes.ts',
    ]);
  });

  it('spells keys of the table in one module only', () => {
    const scope = 'ORG|KEY|KEYID|PERSON|EMAIL|INVITATION|DUE(?:_[A-Z]+)?';
    const name = 'ORGANIZATIONS|ORGANIZATION_NAMES|CALENDAR|LEDGER|LEDGER_YEAR|LOCK|DUE(?:_[A-Z]+)?';
    const keyLiteral = new RegExp(`[\`'"](?:${scope})#|[\`'"](?:${name})[\`'"]`);
    const keyOfParts = /\{ pk: \w+, sk: \w+ \}/;
    for (const file of files.filter((path) => path !== 'shared/data/layout/keys.ts' && !path.startsWith('infra/'))) {
      expect(sourceOf(file), file).not.toMatch(keyLiteral);
      expect(sourceOf(file), file).not.toMatch(keyOfParts);
    }
  });
});
