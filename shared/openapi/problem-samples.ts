import type { ObjectEntries } from 'valibot';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { faulty, type ProblemCode, type Violation } from '#shared/domain/problems.ts';
import { headerParameters } from './headers.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { isRequired } from './schemas.ts';

export interface Sample {
  readonly detail: string;
  readonly errors?: readonly Violation[];
}

/** The example that all operations share; undefined if each has its own. */
export function generalSample(code: ProblemCode): Sample | undefined {
  const { detail } = PROBLEM_TEXTS[code];
  const faults = faultsOf(code);
  const [fault] = faults;
  if (typeof detail === 'function' || faults.length > 1) return undefined;
  return fault ? sampleOfFault(code, fault, detail) : { detail: detail ?? '' };
}

export function sampleOf(code: ProblemCode, endpoint: Endpoint): Sample {
  const { detail } = PROBLEM_TEXTS[code];
  const text = typeof detail === 'function' ? detail(endpoint) : detail;
  const faults = faultsOf(code);
  if (faults.length === 0) return { detail: text ?? '' };
  const fault = (code === 'validation_failed' && missingMember(endpoint)) || faults.find(isFaultOf(endpoint));
  if (!fault) throw new Error(`The reference has no example of ${code} for ${endpoint.operationId}.`);
  return sampleOfFault(code, fault, text);
}

function faultsOf(code: ProblemCode): Violation[] {
  return Object.entries(PROBLEM_TEXTS[code].faults ?? {}).map(([path, fault]) =>
    typeof fault === 'string' ? { path, message: fault, code } : { path, ...fault },
  );
}

function sampleOfFault(code: ProblemCode, fault: Violation, detail?: string): Sample {
  return { detail: detail ?? faulty(code, [fault]).details.detail, errors: [fault] };
}

/** The fault of a body without its first required member; undefined if it needs none. */
function missingMember({ body }: Endpoint): Violation | undefined {
  const [path] = Object.entries(entriesOf(body)).find(([, entry]) => isRequired(entry)) ?? [];
  return path === undefined ? undefined : { path, message: 'This member is required.', code: 'required' };
}

const SUPERSEDED = ['starting_after', 'ending_before'];

/** Whether the path of a fault can occur in a request of the operation. An empty path is the whole request. */
function isFaultOf(endpoint: Endpoint): (fault: Violation) => boolean {
  const names = new Set([
    '',
    ...Object.keys(entriesOf(endpoint.body)),
    ...Object.keys(entriesOf(endpoint.query)),
    ...headerParameters(endpoint).map(({ name }) => name),
    ...SUPERSEDED,
  ]);
  return ({ path }) => names.has(path.split('.')[0] ?? '');
}

function entriesOf(schema: Endpoint['body']): ObjectEntries {
  return schema && 'entries' in schema ? (schema.entries as ObjectEntries) : {};
}
