import * as v from 'valibot';
import { entriesOf } from '#shared/contract/endpoint.ts';
import { PARAMETERS_OF_PAGING } from '#shared/contract/pagination.ts';
import { faulty, MAX_VIOLATIONS, type Violation } from '#shared/domain/problems.ts';

/** @throws Problem `validation_failed` with a dotted path for each violation */
function validate(schema: v.GenericSchema, value: unknown): unknown {
  const { issues, value: parsed } = schema['~run']({ value }, patience());
  if (!issues) return parsed;
  const [first, ...others] = issues;
  const errors = others.slice(0, MAX_VIOLATIONS - 1).map(violationOf);
  const isCounted = issues.length <= MAX_COUNTED;
  throw faulty('validation_failed', [violationOf(first), ...errors], isCounted ? issues.length : `over ${MAX_COUNTED}`);
}

/** Ends the parse when there are more faults than are counted. A body may have a hundred thousand. */
function patience(): v.Config<v.BaseIssue<unknown>> {
  let faults = 0;
  return {
    message: ({ message }) => {
      faults += 1;
      return message;
    },
    get abortEarly() {
      return faults > MAX_COUNTED * ALTERNATIVES;
    },
  };
}

/** If no member is required, valibot would take an array for an object. */
export function validateBody(schema: v.GenericSchema, body: unknown): unknown {
  if (Array.isArray(body)) {
    throw faulty('validation_failed', [{ path: '', message: 'Expected an object.', code: 'type' }]);
  }
  return validate(schema, body);
}

/** A caller who has more than this has made one mistake many times. */
const MAX_COUNTED = 1_000;

/** Each alternative of a union has a fault of its own, which is not listed. */
const ALTERNATIVES = 4;

/** Of an issue whose type is neither the code, nor one of the types below. */
const CODES: Readonly<Record<string, string>> = {
  gt_value: 'range',
  literal: 'enum',
  max_length: 'length',
  max_value: 'range',
  min_length: 'length',
  min_value: 'range',
  picklist: 'enum',
  union: 'type',
  uuid: 'format',
};

/** States what was expected and, but for numbers and durations, never what was received: that may be a secret. */
export function violationOf(issue: v.BaseIssue<unknown>): Violation {
  const path = v.getDotPath(issue) ?? '';
  const isMissing = issue.kind === 'schema' && issue.input === undefined && path !== '';
  const advice = adviceOf(issue);
  const said = (message: string) => [message, advice].filter(Boolean).join(' ');
  if (isMissing) return { path, message: said('This member is required.'), code: 'required' };
  const type = EXPECTATIONS[issue.type];
  const expected = `Expected ${type ?? boundOf(issue) ?? alternativesOf(issue) ?? 'something else'}.`;
  return { path, message: said(expected), code: CODES[issue.type] ?? (type ? 'type' : issue.type) };
}

const EXPECTATIONS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  /** The contract's only custom schema is an object whose keys are any names. */
  custom: 'an object',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
  uuid: 'a UUID',
};

/** `("a" | "b" | "c")` in words; anything else as it is. */
function alternativesOf({ expected }: v.BaseIssue<unknown>): string | undefined {
  const options = expected
    ?.match(/^\((.*)\)$/)?.[1]
    ?.split(' | ')
    .map((option) => EXPECTATIONS[option] ?? option);
  if (!options) return expected ?? undefined;
  return [options.slice(0, -1).join(', '), ...options.slice(-1)].filter(Boolean).join(' or ');
}

/** Tells how to send what was sent (`advising`). */
function adviceOf({ kind, requirement, input }: v.BaseIssue<unknown>): string {
  return kind === 'schema' && typeof requirement === 'function' ? requirement(input) : '';
}

function boundOf({ type, requirement, input }: v.BaseIssue<unknown>): string | undefined {
  switch (type) {
    case 'min_length':
      return `at least ${counted(Number(requirement), input)}`;
    case 'max_length':
      return `at most ${counted(Number(requirement), input)}`;
    case 'min_value':
      return `a number of at least ${requirement}`;
    case 'max_value':
      return `a number of at most ${requirement}`;
    case 'gt_value':
      return `a number above ${requirement}`;
    default:
      return undefined;
  }
}

function counted(count: number, input: unknown): string {
  const unit = typeof input === 'string' ? 'character' : 'item';
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Parameters that cursor pagination replaced. Ignoring them silently would return the wrong page. */
const SUPERSEDED: Readonly<Record<string, string>> = { starting_after: 'after', ending_before: 'before' };

/**
 * A query string has only text.
 *
 * @param raw the values of a repeated name with commas between them, as API Gateway joins them
 * @param queryString as it was sent: it tells these values from a comma in one of them
 */
export function validateQuery(
  schema: v.GenericSchema | undefined,
  raw: Readonly<Record<string, string | undefined>>,
  queryString: string,
): unknown {
  const [first, ...others] = [
    ...Object.entries(SUPERSEDED).flatMap(([path, successor]) =>
      raw[path] === undefined ? [] : [superseded(path, successor)],
    ),
    ...ofOtherPaging(schema, raw),
  ];
  if (first) throw faulty('validation_failed', [first, ...others]);
  return schema ? validate(schema, typed(schema, raw, queryString)) : {};
}

export function assertGiven(raw: Readonly<Record<string, string | undefined>>, name: string | undefined): void {
  if (name === undefined || raw[name] !== undefined) return;
  throw faulty('validation_failed', [{ path: name, message: 'CSV needs this parameter.', code: 'required' }]);
}

function superseded(path: string, successor: string): Violation {
  const message = `This parameter was replaced by "${successor}" of the cursor pagination ("after" and "before").`;
  return { path, message, code: 'superseded' };
}

/** A parameter of the other kind of paging would change nothing, and look as if it had. */
function ofOtherPaging(
  schema: v.GenericSchema | undefined,
  { pagination = 'offset', ...raw }: Readonly<Record<string, string | undefined>>,
): Violation[] {
  if (!('pagination' in entriesOf(schema))) return [];
  const others = Object.entries(PARAMETERS_OF_PAGING).filter(([kind]) => kind !== pagination);
  // Any other kind of paging is refused by the schema.
  if (others.length > 1) return [];
  return others.flatMap(([kind, names]) =>
    names
      .filter((name) => raw[name] !== undefined)
      .map((path) => ({ path, message: `This parameter needs "pagination=${kind}".`, code: 'pagination' })),
  );
}

function typed(
  schema: v.GenericSchema,
  raw: Readonly<Record<string, string | undefined>>,
  queryString: string,
): unknown {
  const entries = entriesOf(schema);
  const read = (name: string, value: string | undefined) =>
    isList(entries[name]) ? new URLSearchParams(queryString).getAll(name) : convert(value, entries[name]);
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, read(name, value)]));
}

const isList = (schema: v.ObjectEntries[string] | undefined): boolean =>
  schema !== undefined && innerType(schema) === 'array';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Text that does not look like the type stays text, and the schema then reports it. */
function convert(value: string | undefined, schema: v.ObjectEntries[string] | undefined): unknown {
  const type = schema && innerType(schema);
  if (value === undefined) return undefined;
  if (type === 'number' && NUMBER.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function innerType(schema: v.ObjectEntries[string]): string {
  return 'wrapped' in schema ? innerType(schema.wrapped as v.ObjectEntries[string]) : schema.type;
}
