import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Need, RolePolicy } from './policy.ts';
import { ServiceError } from './service-error.ts';

export type Service = 'dynamodb' | 'sqs' | 'kms' | 'lambda';

/** A function, or the operator, who has no policy and may do anything. */
export interface Caller {
  readonly arn: string;
  readonly functionName?: string;
  readonly policy?: RolePolicy;
}

/** A browser names its page in every request that could change something. No SDK does. */
export function refuseBrowsers({ origin }: IncomingHttpHeaders): void {
  if (origin !== undefined) throw new ServiceError('AccessDeniedException', 'Web pages may not call AWS here.', 403);
}

/** Reads the signature: `AWS4-HMAC-SHA256 Credential=KEYID/DATE/REGION/SERVICE/aws4_request, ...`. */
export function credentialOf({ authorization = '' }: IncomingHttpHeaders): { accessKeyId: string; service: Service } {
  const [, accessKeyId, service] = /Credential=([^/,=]+)\/[^/,=]+\/[^/,=]+\/([^/,=]+)\//.exec(authorization) ?? [];
  if (accessKeyId === undefined)
    throw new ServiceError('MissingAuthenticationTokenException', 'Sign the request.', 403);
  if (service === 'dynamodb' || service === 'sqs' || service === 'kms' || service === 'lambda') {
    return { accessKeyId, service };
  }
  throw new ServiceError('UnknownOperationException', `The local cloud has no service ${service}.`);
}

/** `PutItem` of `DynamoDB_20120810.PutItem`. Lambda has no such header: the path stands in. */
export function operationOf({ headers, url = '' }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? (target.split('.').at(-1) ?? '') : (url.split('?')[0] ?? '');
}

export function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new ServiceError('SerializationException', 'The body is not a JSON object.');
}

export function authorize({ arn: callerArn, policy }: Caller, needs: readonly Need[]): void {
  if (!policy) return;
  const denied = needs.find((need) => !policy.allows(need));
  if (!denied) return;
  const { action, resource, conditionValues } = denied;
  const keys = conditionValues?.['dynamodb:LeadingKeys']?.join(', ');
  throw new ServiceError(
    'AccessDeniedException',
    `User: ${callerArn} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action${keys ? ` with the leading keys ${keys}` : ''}`,
  );
}
