import { type Endpoint, entriesOf } from '#shared/contract/endpoint.ts';
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
  const { details, faults } = PROBLEM_TEXTS[code];
  const [fault, ...others] = faults;
  if (others.length > 0 || Object.keys(details).some((name) => name !== '')) return undefined;
  const detail = details[''];
  if (fault) return sampleOfFault(code, fault, detail);
  return detail === undefined ? undefined : { detail };
}

export function sampleOf(code: ProblemCode, endpoint: Endpoint): Sample {
  const { details, faults } = PROBLEM_TEXTS[code];
  const detail = (details[endpoint.operationId] ?? details[''])?.replace('{scope}', String(endpoint.scope));
  if (detail !== undefined && faults.length === 0) return { detail };
  const fault = (code === 'validation_failed' && missingMember(endpoint)) || faults.find(isFaultOf(endpoint));
  if (!fault) throw new Error(`The reference has no example of ${code} for ${endpoint.operationId}.`);
  return sampleOfFault(code, fault, detail);
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
