import { describe, expect, it } from 'vitest';
import { apiPlans } from '#scripts/local/plans/apis.ts';
import { Resolver } from '#scripts/local/resolve.ts';
import type { Resource, Stack } from '#scripts/local/template.ts';

const stack: Stack = { name: 'Thing', template: { Parameters: {}, Resources: {}, Outputs: {} } };

const resource = (type: string, properties: object, condition?: string): Resource => ({
  stack,
  logicalId: type.split('::').at(-1) ?? '',
  type,
  condition,
  properties: { ...properties },
});

const api = (RouteKey: string): Resource[] => [
  resource('AWS::ApiGatewayV2::Api', { ProtocolType: 'HTTP' }),
  resource('AWS::ApiGatewayV2::Stage', { ApiId: { Ref: 'Api' }, StageName: '$default' }),
  resource('AWS::ApiGatewayV2::Route', { ApiId: { Ref: 'Api' }, RouteKey, Target: 'integrations/Other' }),
];

function routesOf(resources: readonly Resource[]) {
  return apiPlans(new Resolver({ stacks: [stack], resources }), () => true);
}

describe('the local cloud', () => {
  it.each([
    ['a route for any method', api('ANY /things'), 'neither ANY nor greedy paths'],
    ['a greedy route', api('GET /files/{path+}'), 'neither ANY nor greedy paths'],
    ['a route to nowhere', api('GET /things'), 'GET /things has no integration'],
    [
      'another intrinsic function',
      [resource('AWS::ApiGatewayV2::Api', { ProtocolType: { 'Fn::Select': [0, ['HTTP']] } })],
      'cannot resolve Fn::Select',
    ],
    ['a condition', [resource('AWS::SQS::Queue', {}, 'IsLarge')], 'knows no conditions, as Queue has'],
    [
      'an attribute that it does not know',
      [resource('AWS::ApiGatewayV2::Api', { ProtocolType: { 'Fn::GetAtt': ['Api', 'Colour'] } })],
      'knows no Api.Colour',
    ],
  ])('refuses stacks with %s', (_, resources, complaint) => {
    expect(() => routesOf(resources)).toThrow(complaint);
  });
});
