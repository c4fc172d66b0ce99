import { createHash } from 'node:crypto';
import { ACCOUNT, arn, REGION } from './names.ts';
import type { Resource } from './template.ts';

export interface PhysicalId {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Addresses of the AWS endpoint and the gateway: `http://host:port`. */
export interface Addresses {
  readonly aws: string;
  readonly api: string;
}

type Naming = (resource: Resource, explicitName: string | undefined, addresses: Addresses) => PhysicalId;

/** A name that is the same at every start, because data outlive the process. */
function generatedName({ stack, logicalId }: Resource): string {
  return `${stack.name}-${logicalId}`;
}

function generatedUuid(resource: Resource): string {
  const hex = createHash('sha256').update(generatedName(resource)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function generatedId(resource: Resource): string {
  return createHash('sha256').update(generatedName(resource)).digest('hex').slice(0, 10);
}

function named(service: string, prefix: string, options?: { region: string }): Naming {
  return (resource, explicitName) => {
    const name = explicitName ?? generatedName(resource);
    return { ref: name, attributes: { Arn: arn(service, `${prefix}${name}`, options) } };
  };
}

const queue: Naming = (resource, explicitName, { aws }) => {
  const suffix = resource.properties.FifoQueue === true ? '.fifo' : '';
  const name = explicitName ?? `${generatedName(resource)}${suffix}`;
  const url = `${aws}/${ACCOUNT}/${name}`;
  return { ref: url, attributes: { Arn: arn('sqs', name), QueueName: name, QueueUrl: url } };
};

const key: Naming = (resource) => {
  const id = generatedUuid(resource);
  return { ref: id, attributes: { Arn: arn('kms', `key/${id}`), KeyId: id } };
};

const api: Naming = (resource, _name, addresses) => {
  const id = generatedId(resource);
  return { ref: id, attributes: { ApiId: id, ApiEndpoint: addresses.api } };
};

const distribution: Naming = (resource) => {
  const id = generatedId(resource);
  return { ref: id, attributes: { DomainName: `${id}.cloudfront.net` } };
};

const logGroup: Naming = (resource, explicitName) => {
  const name = explicitName ?? generatedName(resource);
  return { ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } };
};

const TYPES: Readonly<Record<string, { readonly nameProperty?: string; readonly naming: Naming }>> = {
  'AWS::ApiGatewayV2::Api': { naming: api },
  'AWS::CloudFront::Distribution': { naming: distribution },
  'AWS::DynamoDB::GlobalTable': { nameProperty: 'TableName', naming: named('dynamodb', 'table/') },
  'AWS::Events::Rule': { nameProperty: 'Name', naming: named('events', 'rule/') },
  'AWS::IAM::Role': { nameProperty: 'RoleName', naming: named('iam', 'role/', { region: '' }) },
  'AWS::KMS::Key': { naming: key },
  'AWS::Lambda::Function': { nameProperty: 'FunctionName', naming: named('lambda', 'function:') },
  'AWS::Logs::LogGroup': { nameProperty: 'LogGroupName', naming: logGroup },
  'AWS::SQS::Queue': { nameProperty: 'QueueName', naming: queue },
};

export function namePropertyOf(type: string): string | undefined {
  return TYPES[type]?.nameProperty;
}

export function physicalId(resource: Resource, explicitName: string | undefined, addresses: Addresses): PhysicalId {
  const naming = TYPES[resource.type]?.naming ?? named('cloudformation', `${resource.type.replaceAll('::', '-')}/`);
  return naming(resource, explicitName, addresses);
}

export const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com',
};
