import { createHash } from 'node:crypto';

/**
 * A tag (RFC 9110, 8.8.3) is the digest of what is shown. A stored version would not do: a project's totals change with
 * its entries, and an overdue invoice with the day, without a write to the resource.
 */

/** @param shown as it is sent: a JSON value with its members in any order */
export function tagOf(shown: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(shown, inOrder)).digest('base64url')}"`;
}

function inOrder(_name: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

export type Tags = '*' | readonly string[];

/** Nobody holds so many representations of one resource. */
const MAX_TAGS = 100;

/**
 * Recipients must take empty elements (RFC 9110, 5.6.1). No two parts can take the same character: one pass suffices.
 */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[!#-~\x80-\uffff]*")[ \t]*)?(,|$)/y;

/** @returns undefined for a value that is neither `*` nor a list of 1 to {@link MAX_TAGS} tags */
export function parseTags(value: string): Tags | undefined {
  if (value.trim() === '*') return '*';
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  for (let separator: string | undefined = ','; separator === ','; ) {
    const element = ELEMENT.exec(value);
    if (!element) return undefined;
    const [, tag] = element;
    separator = element[2];
    if (tag !== undefined) tags.push(tag);
  }
  return tags.length > 0 && tags.length <= MAX_TAGS ? tags : undefined;
}

/** For `If-Match`: a weak tag never matches. */
export function matchesStrongly(tags: readonly string[], tag: string): boolean {
  return tags.includes(tag);
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** For `If-None-Match`. */
export function matchesWeakly(tags: Tags, tag: string): boolean {
  return tags === '*' || tags.some((each) => opaque(each) === opaque(tag));
}
