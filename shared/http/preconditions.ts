import type { GenericSchema } from 'valibot';
import { type Endpoint, matchedSchema, taggedSchema } from '#shared/contract/endpoint.ts';
import { fault, Problem } from '#shared/domain/problems.ts';
import { matchesStrongly, parseTags, type Tags, tagOf } from './entity-tag.ts';
import { type HttpRequest, header, type Step } from './exchange.ts';
import { checked } from './response.ts';

/**
 * `If-Match` speaks of the resource that the path names. It is checked before the body. The write is conditioned on the
 * version that was checked, and if another request was faster, its outcome is checked again: of two changes with one tag
 * exactly one succeeds.
 *
 * A derived member, such as a total, may still change in between: the change then counts as made before.
 */

export function preconditions(endpoint: Endpoint): Step[] {
  const matched = matchedSchema(endpoint);
  if (matched) return [{ before: (request) => match(request, matched, endpoint.operationId) }];
  if (endpoint.method !== 'GET' || !taggedSchema(endpoint)) return [];
  // `not-modified.ts` compares the tags once there is a response.
  return [{ before: (request) => void tagsOf(request, 'If-None-Match') }];
}

async function match(request: HttpRequest, schema: GenericSchema, operationId: string): Promise<void> {
  const tags = tagsOf(request, 'If-Match');
  const { internal } = request;
  if (tags === undefined || tags === '*') return;
  internal.assertMatch = async (resource) => {
    const tag = tagOf(checked(schema, await internal.show(resource), operationId));
    if (matchesStrongly(tags, tag)) return;
    throw new Problem('precondition_failed', {
      detail: 'The resource has changed since the version in If-Match. Read it again first.',
    });
  };
  await internal.assertMatch(internal.resource);
}

/** @throws Problem `validation_failed` with the name of the header as path */
function tagsOf(request: HttpRequest, name: string): Tags | undefined {
  const value = header(request, name.toLowerCase());
  if (value === undefined) return undefined;
  const tags = parseTags(value);
  if (tags === undefined) throw fault('validation_failed', name, 'Expected "*" or a list of entity tags in quotes.');
  return tags;
}
