import { type Endpoint, matchedSchema, taggedSchema } from '#shared/contract/endpoint.ts';
import { fault, Problem } from '#shared/domain/problems.ts';
import { matchesStrongly, parseTags, type Tags, tagOf } from './entity-tag.ts';
import { type HttpRequest, header, type Step } from './exchange.ts';
import { checked } from './response.ts';

/**
 * `If-Match` is checked before the body. The write is conditioned on the version that was checked, and if another
 * request was faster, its outcome is checked again: of two changes with one tag exactly one succeeds.
 *
 * A derived member, such as a total, may still change in between: the change then counts as made before.
 */

type Show = (resource: object, now: Date) => unknown;

export function preconditions(endpoint: Endpoint, show: Show): Step[] {
  const matched = matchedSchema(endpoint);
  if (matched) {
    const tagged = async (resource: object, now: Date) =>
      tagOf(checked(matched, await show(resource, now), endpoint.operationId));
    return [{ before: (request) => match(request, (each) => tagged(each, request.internal.now)) }];
  }
  if (endpoint.method !== 'GET' || !taggedSchema(endpoint)) return [];
  // `not-modified.ts` compares the tags once there is a response.
  return [{ before: (request) => void tagsOf(request, 'If-None-Match') }];
}

async function match(request: HttpRequest, tagOfResource: (resource: object) => Promise<string>): Promise<void> {
  const tags = tagsOf(request, 'If-Match');
  const { resource } = request.internal;
  if (tags === undefined || tags === '*') return;
  request.internal.assertMatch = async (current) => {
    if (matchesStrongly(tags, await tagOfResource(current))) return;
    throw new Problem('precondition_failed', {
      detail: 'The resource has changed since the version in If-Match. Read it again first.',
    });
  };
  await request.internal.assertMatch(resource);
}

/** @throws Problem `validation_failed` with the name of the header as path */
function tagsOf(request: HttpRequest, name: string): Tags | undefined {
  const value = header(request, name.toLowerCase());
  if (value === undefined) return undefined;
  const tags = parseTags(value);
  if (tags === undefined) throw fault('validation_failed', name, 'Expected "*" or a list of entity tags in quotes.');
  return tags;
}
