import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { NO_ORIGIN } from '#infra/config.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { shadowedMethods } from '#shared/contract/path.ts';
import { sampleStacks } from './sample.ts';
import { realStacks } from './stacks.ts';

describe.each([
  ['the service', await realStacks()],
  ['a service with one of everything', await sampleStacks()],
])('the API of %s', (_, stacks) => {
  const [api, ...others] = stacks.blueprint.apis;

  it('has the routes of the table, each to its function, and no more', () => {
    const expected = stacks.tables.routes.map(({ method, path, operationId }) => ({
      routeKey: `${method} ${path}`,
      functionName: `billwright-${kebabCase(operationId)}`,
    }));
    const routes = api?.routes.map(({ routeKey, functionName }) => ({ routeKey, functionName })) ?? [];
    const byKey = (one: { routeKey: string }, other: { routeKey: string }) =>
      one.routeKey.localeCompare(other.routeKey);
    const shadowed = shadowedMethods(stacks.tables.routes).map(({ path, method }) => `${method} ${path}`);
    const unmatched = ['$default', ...shadowed].map((routeKey) => ({
      routeKey,
      functionName: 'billwright-unmatched-route',
    }));
    expect(routes.toSorted(byKey)).toEqual([...expected, ...unmatched].toSorted(byKey));
    expect(others).toEqual([]);
  });

  it('lets pages of the allowed origins read the headers that its answers need', () => {
    expect(api?.cors).toMatchObject({
      AllowOrigins: [NO_ORIGIN],
      AllowMethods: ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
      AllowHeaders: [
        'accept',
        'authorization',
        'baggage',
        'cache-control',
        'content-encoding',
        'content-type',
        'idempotency-key',
        'if-match',
        'if-none-match',
        'sentry-trace',
        'traceparent',
        'tracestate',
        'x-request-id',
        'x-requested-with',
      ],
      ExposeHeaders: [
        'content-disposition',
        'etag',
        'idempotency-replayed',
        'link',
        'location',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
        'x-request-id',
      ],
      AllowCredentials: false,
    });
  });

  it('logs each request as JSON without its query, headers and body, and limits all requests together', () => {
    const stage = v.object({
      StageName: v.literal('$default'),
      AccessLogSettings: v.object({ DestinationArn: v.string(), Format: v.pipe(v.string(), v.parseJson()) }),
      DefaultRouteSettings: v.object({ ThrottlingRateLimit: v.number(), ThrottlingBurstLimit: v.number() }),
    });
    const stages = stacks.ofType('AWS::ApiGatewayV2::Stage', stage);
    expect(stages).toHaveLength(1);
    const format = JSON.stringify(stages[0]?.properties.AccessLogSettings.Format);
    expect(format).not.toMatch(/querystring|header|authorizer/i);
    expect(format).toContain('$context.requestId');
  });

  it('has one nested stack for each area', () => {
    const nested = stacks.assembly.stacks.filter(({ parent }) => parent);
    expect(nested).toHaveLength(new Set([...stacks.tables.routes.map(({ area }) => area), 'meta']).size);
  });
});

describe('a custom domain', () => {
  it('is the only way in once it is configured', async () => {
    const domain = { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1' };
    const stacks = await sampleStacks({ domain });
    const closed = v.object({ DisableExecuteApiEndpoint: v.literal(true) });
    expect(stacks.ofType('AWS::ApiGatewayV2::Api', closed)).toHaveLength(1);
    const mapping = v.object({ DomainName: v.string(), Stage: v.literal('$default') });
    expect(stacks.ofType('AWS::ApiGatewayV2::ApiMapping', mapping)).toHaveLength(1);
  });
});
