import * as v from 'valibot';
import {
  type CsvExport,
  type Endpoint,
  filledPath,
  type RawAnswer,
  type Rehearsable,
  taggedSchema,
  type Work,
} from '#shared/contract/endpoint.ts';
import { csvOf } from '#shared/domain/csv.ts';
import { assertFileFits, assertRowsFit } from '#shared/domain/export.ts';
import type { CursorPage, Listed, Window } from '#shared/domain/page.ts';
import { tagOf } from './entity-tag.ts';
import type { HttpResponse } from './exchange.ts';
import { IGNORED_HEADER } from './ignored.ts';
import { linkHeader } from './link.ts';

export interface Rendering {
  readonly path: string;
  readonly query: unknown;
  readonly isExport: boolean;
  /** The names that the contract does not take, for the header that says so. */
  readonly ignored?: string;
}

/** An undeclared member never leaves the service, and a wrong member is our fault, so it becomes a 500. */
export function response(endpoint: Endpoint, result: unknown, rendering: Rendering): HttpResponse {
  const { csv } = endpoint;
  const { isExport, ignored } = rendering;
  const made = csv && isExport ? table(csv, result, rendering.query) : declared(endpoint, result, rendering);
  const headers = { ...made.headers, ...(csv && { vary: 'accept' }), ...(ignored && { [IGNORED_HEADER]: ignored }) };
  return { ...made, headers };
}

function table({ fileName, table: tableOf }: CsvExport, result: unknown, query: unknown): HttpResponse {
  const { columns, rows } = tableOf(result as never, query as never);
  assertRowsFit(rows.length);
  const body = csvOf({ columns, rows });
  assertFileFits(body);
  const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
  return raw({ contentType: 'text/csv; charset=utf-8; header=present', body, headers });
}

function declared(endpoint: Endpoint, result: unknown, rendering: Rendering): HttpResponse {
  const { response: contract, operationId } = endpoint;
  const check = (schema: v.GenericSchema, value: unknown) => checked(schema, value, operationId);
  switch (contract.kind) {
    case 'resource': {
      const data = check(contract.schema, result);
      const tag = taggedSchema(endpoint) && { etag: tagOf(data) };
      return json(contract.status, { data }, { ...tag, ...locationOf(endpoint, data) });
    }
    case 'rehearsable': {
      const { isMade, data } = result as Rehearsable<unknown>;
      const shown = check(contract.schema, data);
      return json(isMade ? 201 : 200, { data: shown }, isMade ? locationOf(endpoint, shown) : {});
    }
    case 'work': {
      const { isDone, data } = result as Work<unknown>;
      return json(isDone ? 200 : 202, { data: check(contract.schema, data) });
    }
    case 'list':
      return json(200, page(contract.item, result as Listed<unknown>, rendering, check));
    case 'listOrCursorPage':
      return isCursorPage(result)
        ? json(
            200,
            { pagination: 'cursor', ...cursorPage(contract.item, result, check) },
            {
              link: linkHeader(rendering.path, rendering.query as Window, result.pageInfo),
            },
          )
        : json(200, { pagination: 'offset', ...page(contract.item, result as Listed<unknown>, rendering, check) });
    case 'deletion':
      return json(200, { success: true, id: result });
    case 'bare':
      return json(200, check(contract.schema, result));
    case 'raw':
      return raw(result as RawAnswer);
  }
}

/** A reference that works behind any host name. */
function locationOf({ location }: Endpoint, created: unknown): Readonly<Record<string, string>> {
  return location === undefined ? {} : { location: filledPath(location, created as { readonly id: string }) };
}

type Check = (schema: v.GenericSchema, value: unknown) => unknown;

function page(item: v.GenericSchema, { items, total }: Listed<unknown>, { query }: Rendering, check: Check) {
  const { limit, offset } = query as { readonly limit: number; readonly offset: number };
  return { data: items.map((each) => check(item, each)), meta: { total, limit, offset } };
}

function isCursorPage(result: unknown): result is CursorPage<unknown> {
  return typeof result === 'object' && result !== null && 'edges' in result;
}

function cursorPage(item: v.GenericSchema, { edges, pageInfo, totalCount }: CursorPage<unknown>, check: Check) {
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: check(item, node) })), pageInfo, totalCount };
}

/** @throws Error when a value breaks the schema, which is our fault */
export function checked(schema: v.GenericSchema, value: unknown, operationId: string): unknown {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const paths = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`The response of ${operationId} breaks its schema at: ${paths}`);
}

function json(statusCode: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { statusCode, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

function raw({ contentType, body, headers }: RawAnswer): HttpResponse {
  const isText = typeof body === 'string';
  return {
    statusCode: 200,
    headers: { 'content-type': contentType, ...headers },
    body: isText ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: !isText,
  };
}
