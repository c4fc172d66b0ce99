import { createHash } from 'node:crypto';

/**
 * Tags of resources, and how headers name them (RFC 9110, 8.8.3 and 13.1).
 *
 * A tag is the digest of what is shown. A stored version would not do: a project's totals change with its entries, the
 * label of an entry with the name of its client, and an overdue invoice with the day, all without a write to the
 * resource. Equal tags mean equal representations, and every change of the representation is another tag.
 */

/** @param shown as it is sent: a JSON value with its members in any order */
export function tagOf(shown: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(shown, inOrder)).digest('base64url')}"`;
}

function inOrder(_name: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** `*`, or the tags of a list. */
export type Tags = '*' | readonly string[];

/** Quoted, perhaps weak, as RFC 9110 has it. */
const TAG = '(?:W/)?"[!#-~\\x80-\\uffff]*"';

/** Recipients must take empty elements (RFC 9110, 5.6.1). */
const LIST = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*,(?:[ \\t]*${TAG})?)*[ \\t,]*$`);

const EACH = new RegExp(TAG, 'g');

/** @returns undefined for a value that is neither `*` nor a list of tags */
export function parseTags(value: string): Tags | undefined {
  const trimmed = value.trim();
  if (trimmed === '*') return '*';
  return LIST.test(trimmed) ? (trimmed.match(EACH) ?? undefined) : undefined;
}

/** For `If-Match`: a weak tag never matches. */
export function matchesStrongly(tags: Tags, tag: string): boolean {
  return tags === '*' || tags.includes(tag);
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** For `If-None-Match`. */
export function matchesWeakly(tags: Tags, tag: string): boolean {
  return tags === '*' || tags.some((each) => opaque(each) === opaque(tag));
}
