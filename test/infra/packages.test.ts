import { describe, expect, it } from 'vitest';
import { packageImportsIn } from '#scripts/build/packages.ts';

const namesOf = (...modules: string[]) =>
  Object.fromEntries([...packageImportsIn(modules)].map(([from, names]) => [from, [...names].sort()]));

describe('what our code imports from packages', () => {
  it('is every value of every module, and no type', () => {
    expect(
      namesOf(
        `import middy from '@middy/core';\nimport { GetCommand, type Item } from '@aws-sdk/lib-dynamodb';\n`,
        `import type { Font } from 'fontkit';\nimport {\n  PutCommand as Put,\n} from "@aws-sdk/lib-dynamodb"\n`,
      ),
    ).toEqual({ '@middy/core': ['default'], '@aws-sdk/lib-dynamodb': ['GetCommand', 'PutCommand'] });
  });

  it('is nothing of our own modules, and of those of Node.js', () => {
    expect(
      namesOf(`import { join } from 'node:path';\nimport { a } from '#shared/a.ts';\nimport b from './b.ts';`),
    ).toEqual({});
  });

  it('is each member of a namespace that is named', () => {
    expect(namesOf(`import * as v from 'valibot';\nconst id = v.pipe(v.string(), v\n  .uuid(), ...v.all);`)).toEqual({
      valibot: ['all', 'pipe', 'string', 'uuid'],
    });
  });

  it('is all of a namespace that is used as a whole', () => {
    expect(namesOf(`import * as v from 'valibot';\nexport const { pipe } = v;`)).toEqual({ valibot: ['*'] });
  });
});
