import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confidentMappings, foldName, syncMappings } from '#shared/domain/remote/mapping.ts';

const nothing = {
  clients: new Map<string, string | null>(),
  projects: new Map<string, string | null>(),
  users: new Map<string, string | null>(),
};

interface Scene {
  readonly rows: readonly (readonly [client: string | null, project: string | null, user?: string | null])[];
  readonly remembered?: Partial<typeof nothing>;
  readonly clients?: readonly string[];
  /** Name and, after a slash, the client. */
  readonly projects?: readonly string[];
  readonly users?: readonly string[];
}

const map = (scene: Scene) => confidentMappings(...known(scene));

/** Objects of the organization have their kind and their place as ids. */
function known({ rows, remembered = {}, clients = [], projects = [], users = [] }: Scene) {
  const named = (prefix: string) => (name: string, position: number) => ({ id: `${prefix}${position}`, name });
  const targets = {
    clients: clients.map(named('c')),
    projects: projects.map((text, position) => {
      const [name = '', owner] = text.split('/');
      return { ...named('p')(name, position), clientId: owner ?? null };
    }),
    users: users.map(named('u')),
  };
  const naming = rows.map(([client, project, user = null]) => ({ client, project, user }));
  return [naming, { ...nothing, ...remembered }, targets] as const;
}

function mapClient(name: string, ...clients: readonly string[]): string | undefined {
  return map({ rows: [[name, null]], clients }).clientMapping.get(name);
}

describe('equal names', () => {
  it.each([
    ['  Globex\t Corp ', 'Globex Corp'],
    ['Ｇｌｏｂｅｘ', 'Globex'],
    ['Cafe\u0301', 'Café'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁrst', 'First'],
    ['O’Neill & Söhne', "o'neill & söhne"],
    ['Zero\u200bwidth', 'Zerowidth'],
    ['__proto__', '__PROTO__'],
  ])('are %j and %j', (remote, own) => {
    expect(mapClient(remote, 'Another', own)).toBe('c1');
  });

  it.each([
    ['Globex', 'Globex2'],
    ['Globex', 'Glob'],
    ['C++', 'C'],
    ['Über', 'Uber'],
    ['...', '!!!'],
    [' ', '-'],
  ])('are not %j and %j', (remote, own) => {
    expect(mapClient(remote, own)).toBeUndefined();
  });

  it('are so in both directions, whatever they are', () => {
    const similar = fc.string({
      unit: fc.constantFrom('a', 'A', '-', ' ', 'ß', 's', 'S', 'ﬁ', 'f', 'I', 'Ａ', '\u0301'),
      maxLength: 4,
    });
    fc.assert(
      fc.property(similar, similar, (one, other) => {
        const isMatch = mapClient(one, other) !== undefined;
        expect(mapClient(other, one) !== undefined).toBe(isMatch);
      }),
    );
  });

  it('stay equal under case, space and punctuation', () => {
    const separator = fc.constantFrom(' ', '  ', '-', ', ', '.', '\u00a0', '\t', '–', '_', '/');
    const words = fc.array(fc.stringMatching(/^[a-zà-ÿα-ωа-я0-9]+$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, separator, separator, (parts, one, other) => {
        const name = parts.join(one);
        expect(mapClient(name.toUpperCase(), parts.join(other))).toBe('c0');
      }),
    );
  });

  it('fold to something that folds to itself', () => {
    const law = fc.property(fc.string({ unit: 'grapheme' }), (name) => foldName(foldName(name)) === foldName(name));
    fc.assert(law, { examples: [['\u1e0a\u00b8']] });
  });
});

describe('an ambiguous name', () => {
  it('matches neither of two that look alike', () => {
    expect(mapClient('globex', 'Globex', 'GLOBEX')).toBeUndefined();
  });

  it('matches neither of two that are written the same', () => {
    expect(mapClient('Globex', 'Globex', 'Globex')).toBeUndefined();
  });

  it('of the provider matches nothing, but for the one that is written alike', () => {
    const rows = [
      ['Globex', null],
      ['GLOBEX', null],
    ] as const;
    expect(map({ rows, clients: ['globex'] }).unmappedClients).toEqual(['Globex', 'GLOBEX']);
    expect(map({ rows, clients: ['GLOBEX'] }).clientMapping).toEqual(new Map([['GLOBEX', 'c0']]));
  });
});

describe('what was confirmed before', () => {
  const rows = [['Globex', 'Website', 'Ada']] as const;
  const confirmed = (...[client, project, user]: readonly (string | null)[]) => ({
    clients: new Map([['Globex', client ?? null]]),
    projects: new Map([['Website', project ?? null]]),
    users: new Map([['Ada', user ?? null]]),
  });

  it('comes before any name', () => {
    const own = { clients: ['Globex', 'Acme'], projects: ['Website', 'Shop'], users: ['Ada', 'Grace'] };
    const mapped = map({ rows, remembered: confirmed('c1', 'p1', 'u1'), ...own });
    expect(mapped.clientMapping.get('Globex')).toBe('c1');
    expect(mapped.projectMapping.get('Website')).toBe('p1');
    expect(mapped.userMapping.get('Ada')).toBe('u1');
  });

  it('to stand for nothing stays unmapped', () => {
    const own = { clients: ['Globex'], projects: ['Website'], users: ['Ada'] };
    expect(map({ rows, remembered: confirmed(null, null, null), ...own })).toEqual({
      clientMapping: new Map(),
      projectMapping: new Map(),
      userMapping: new Map(),
      unmappedClients: ['Globex'],
      unmappedProjects: ['Website'],
      unmappedUsers: ['Ada'],
    });
  });

  it('gives way to the name when it is gone', () => {
    const remembered = confirmed('gone', 'gone', 'gone');
    const mapped = map({ rows, remembered, clients: ['Globex'], users: ['ADA'] });
    expect([mapped.clientMapping.get('Globex'), mapped.userMapping.get('Ada')]).toEqual(['c0', 'u0']);
    const unmapped = map({ rows, remembered });
    expect([unmapped.unmappedClients, unmapped.unmappedUsers]).toEqual([['Globex'], ['Ada']]);
  });
});

describe('a sync', () => {
  const own = { clients: ['Globex'], projects: ['Website'], users: ['Ada', 'Grace'] };
  const rows = [['Globex', 'Website', 'Ada']] as const;
  const sync = (remembered: Scene['remembered']) => syncMappings(...known({ rows, remembered, ...own }));

  it('takes clients and projects by their names as well, which only admins write, but users as they were confirmed', () => {
    const named = { clients: new Map([['Globex', 'c0']]), projects: new Map([['Website', 'p0']]), users: new Map() };
    expect(sync({})).toEqual(named);
    expect(sync({ users: new Map([['Ada', 'u1']]) })).toEqual({ ...named, users: new Map([['Ada', 'u1']]) });
    expect(sync({ users: new Map([['Ada', 'u0']]) })).toEqual({ ...named, users: new Map([['Ada', 'u0']]) });
    for (const target of [null, 'gone']) expect(sync({ users: new Map([['Ada', target]]) })).toEqual(named);
  });
});

describe("a project of another client than the row's", () => {
  it('does not match by its name', () => {
    const scene = { clients: ['Globex', 'Acme'], projects: ['Website/c1'] };
    expect(map({ ...scene, rows: [['Globex', 'Website']] }).unmappedProjects).toEqual(['Website']);
    expect(map({ ...scene, rows: [['Acme', 'Website']] }).projectMapping.get('Website')).toBe('p0');
    const both = map({
      ...scene,
      rows: [
        ['Acme', 'Website'],
        ['Globex', 'Website'],
      ],
    });
    expect(both.unmappedProjects).toEqual(['Website']);
  });

  it('does not match by what was confirmed either, which a confirm would refuse', () => {
    const remembered = { projects: new Map([['Website', 'p0']]) };
    const scene = { remembered, clients: ['Globex', 'Acme'], projects: ['Website/c1'] };
    expect(map({ ...scene, rows: [['Globex', 'Website']] }).unmappedProjects).toEqual(['Website']);
  });

  it('matches, where the client stands for nothing, only when that was confirmed', () => {
    const scene = { clients: ['Acme'], projects: ['Website/c0'], rows: [['Globex', 'Website']] as const };
    expect(map(scene).unmappedProjects).toEqual(['Website']);
    const remembered = { projects: new Map([['Website', 'p0']]) };
    expect(map({ ...scene, remembered }).projectMapping.get('Website')).toBe('p0');
  });

  it('is none where one of the two has no client', () => {
    const clients = ['Globex'];
    expect(map({ clients, projects: ['Website'], rows: [['Globex', 'Website']] }).projectMapping.size).toBe(1);
    expect(map({ clients, projects: ['Website/c0'], rows: [[null, 'Website']] }).projectMapping.size).toBe(1);
  });
});

it('sorts every name into exactly one of mapped and unmapped, and maps only to what exists', () => {
  const name = fc.constantFrom(null, 'A', 'a', 'B', 'b!', 'C', '__proto__', 'constructor');
  const target = fc.constantFrom(null, 'c0', 'p0', 'p1', 'u0', 'gone');
  const names = fc.uniqueArray(fc.constantFrom('A', 'a', 'B', 'C', '__proto__', 'constructor'));
  const mapping = fc.array(fc.tuple(fc.constantFrom('A', 'a', 'B', 'C'), target)).map((pairs) => new Map(pairs));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, name, name)),
      fc.tuple(mapping, mapping, mapping),
      fc.tuple(names, names, names),
      (rows, [clients, projects, users], [own, works, people]) => {
        const mapped = map({
          rows,
          remembered: { clients, projects, users },
          clients: own,
          projects: works.map((work, position) => (position % 2 ? work : `${work}/c${position}`)),
          users: people,
        });
        const expected = (position: 0 | 1 | 2) =>
          new Set(rows.map((row) => row[position]).filter((each) => each !== null));
        for (const [found, unmapped, all, count, prefix] of [
          [mapped.clientMapping, mapped.unmappedClients, expected(0), own.length, 'c'],
          [mapped.projectMapping, mapped.unmappedProjects, expected(1), works.length, 'p'],
          [mapped.userMapping, mapped.unmappedUsers, expected(2), people.length, 'u'],
        ] as const) {
          expect(new Set([...found.keys(), ...unmapped])).toEqual(all);
          expect(found.size + unmapped.length).toBe(all.size);
          for (const id of found.values())
            expect(Array.from({ length: count }, (_, i) => `${prefix}${i}`)).toContain(id);
        }
      },
    ),
  );
});
