import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '#shared/domain/text.ts';
import { distinctTags, hasTags } from '#shared/domain/tracker/tags.ts';

const tag = fc.constantFrom('Design', 'DESIGN', 'design', 'Büro', 'BÜRO', 'a  b', 'A b', 'x, y', 'x', 'y');
const tags = fc.array(tag, { maxLength: 10 });

it('of equal tags the first stays, in the order given, and to do it again changes nothing', () => {
  fc.assert(
    fc.property(tags, (given) => {
      const distinct = distinctTags(given);
      expect(distinct.map(foldText)).toEqual([...new Set(given.map(foldText))]);
      for (const each of distinct) expect(given.find((other) => foldText(other) === foldText(each))).toBe(each);
      expect(distinctTags(distinct)).toEqual(distinct);
    }),
  );
});

it('work has all wanted tags exactly if it has each of them, whatever their case', () => {
  fc.assert(
    fc.property(tags, tags, (given, wanted) => {
      const folded = wanted.map(foldText);
      expect(hasTags(given, folded)).toBe(folded.every((each) => given.some((own) => foldText(own) === each)));
    }),
  );
});
