import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { NO_ORIGIN } from '#infra/config.ts';
import { ensureSynthesized } from '#scripts/synth.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { routes } from '#shared/routes.ts';
import { ORIGIN_HEADER } from '#shared/runtime/origin.ts';
import { bothServices, sampleStacks } from './sample.ts';
import type { Stacks } from './stacks.ts';

const { paths, components } = openApiDocument(routes);
const operations = Object.values(paths).flatMap((item) => Object.values(item));

describe.each(await bothServices())('the API of %s', (_, stacks) => {
  const [api] = stacks.blueprint.apis;

  it('lets pages of the allowed origins send and read each header of the OpenAPI document', () => {
    const { AllowHeaders, ExposeHeaders, ...cors } = api?.cors ?? {};
    const AllowMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    expect(cors).toMatchObject({ AllowOrigins: [NO_ORIGIN], AllowMethods, AllowCredentials: false });
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const sent = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase());
    expect(AllowHeaders).toEqual(expect.arrayContaining(['accept', 'authorization', 'content-type', ...sent]));
    const answers = [...operations, components].flatMap(({ responses }) => Object.values(responses));
    const read = answers.flatMap((answer) => ('headers' in answer ? Object.keys(answer.headers ?? {}) : []));
    expect(new Set(ExposeHeaders)).toEqual(new Set(read.map((name) => name.toLowerCase())));
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
});

interface Made {
  readonly Type: string;
  readonly DependsOn?: readonly string[];
}

/** A resource waits for those that it depends on, and for those that it refers to. */
async function waitsOfApi(): Promise<Map<string, { readonly type: string; readonly waits: readonly string[] }>> {
  const text = await readFile(join(await ensureSynthesized(), 'billwright-api.template.json'), 'utf8');
  return new Map(
    Object.entries<Made>(JSON.parse(text).Resources).map(([id, made]) => {
      const named = [...JSON.stringify(made).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)];
      return [id, { type: made.Type, waits: [...(made.DependsOn ?? []), ...named.map(([, other = '']) => other)] }];
    }),
  );
}

describe('a first deployment', () => {
  it('makes one route after the other, and the stage in the end: API Gateway takes one change of an API at a time', async () => {
    const left = await waitsOfApi();
    const waves: string[][] = [];
    while (left.size > 0) {
      const ready = [...left].filter(([, { waits }]) => !waits.some((id) => left.has(id)));
      if (ready.length === 0) throw new Error('Resources wait for each other.');
      waves.push(ready.map(([, { type }]) => type).filter((type) => /::(Route|Integration|Stage)$/.test(type)));
      for (const [id] of ready) left.delete(id);
    }
    const changes = waves.filter((types) => types.length > 0);
    expect(changes.length).toBeGreaterThan(100);
    expect(changes.filter((types) => types.length > 1)).toEqual([]);
    expect(changes.at(-1)).toEqual(['AWS::ApiGatewayV2::Stage']);
  });
});

const domain = { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1' };

describe('a custom domain', () => {
  it('is the only way in once it is configured', async () => {
    const stacks = await sampleStacks({ domain });
    const closed = v.object({ DisableExecuteApiEndpoint: v.literal(true) });
    expect(stacks.ofType('AWS::ApiGatewayV2::Api', closed)).toHaveLength(1);
    expect(stacks.ofType('AWS::ApiGatewayV2::ApiMapping', v.unknown())).toHaveLength(1);
  });
});

describe('a firewall', () => {
  const webAclArn = 'arn:aws:wafv2:us-east-1:111111111111:global/webacl/billwright/1';
  const distribution = v.object({
    DistributionConfig: v.object({
      Aliases: v.optional(v.array(v.string())),
      Origins: v.tuple([
        v.object({
          DomainName: v.string(),
          OriginCustomHeaders: v.tuple([v.object({ HeaderName: v.string(), HeaderValue: v.string() })]),
        }),
      ]),
      WebACLId: v.string(),
    }),
  });
  const accepted = (stacks: Stacks) =>
    stacks.blueprint.functions.flatMap(({ name, environment: { ORIGIN_SECRETS: secrets } }) =>
      secrets === undefined ? [] : [[name, secrets]],
    );
  const sent = (stacks: Stacks) =>
    stacks.ofType('AWS::CloudFront::Distribution', distribution).map(({ properties }) => {
      const { HeaderName, HeaderValue } = properties.DistributionConfig.Origins[0].OriginCustomHeaders[0];
      expect(HeaderName).toBe(ORIGIN_HEADER);
      return HeaderValue;
    });
  const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/2';
  const enforced = { firewall: { webAclArn, certificateArn, isEnforced: true }, domain };

  it('is made first: CloudFront has the domain and sends a secret, and whoever still comes by the gateway is let in', async () => {
    const stacks = await sampleStacks({ firewall: { webAclArn, certificateArn }, domain });
    const [found] = stacks.ofType('AWS::CloudFront::Distribution', distribution);
    const { Aliases, Origins, WebACLId } = found?.properties.DistributionConfig ?? {};
    expect([Aliases, WebACLId]).toEqual([['api.example.com'], webAclArn]);
    expect(Origins?.[0].DomainName).toMatch(/\.execute-api\.us-east-1\.amazonaws\.com$/);
    expect(sent(stacks)).toEqual([expect.stringMatching(/^\{\{resolve:secretsmanager:\S+:SecretString:::\}\}$/)]);
    expect(accepted(stacks)).toEqual([]);
    expect(stacks.ofType('AWS::ApiGatewayV2::ApiMapping', v.unknown())).toHaveLength(1);
  });

  it('adds a name of the service, and functions that take the URL of a webhook know all of them', async () => {
    const namesIn = async (context: object) => {
      const { blueprint } = await sampleStacks({ ...context });
      return blueprint.functions.flatMap(({ environment }) => environment.OWN_HOSTS?.split(' ') ?? []);
    };
    const gateway = expect.stringMatching(/^\w+\.execute-api\.us-east-1\.amazonaws\.com$/);
    const cloudFront = expect.stringMatching(/^\w+\.cloudfront\.net$/);
    expect(await namesIn({})).toEqual([gateway]);
    expect(await namesIn({ domain })).toEqual([gateway, 'api.example.com']);
    expect(await namesIn(enforced)).toEqual([gateway, 'api.example.com', cloudFront]);
  });

  it('is then enforced: the endpoints alone ask for the secret, and the gateway has no name of its own', async () => {
    const stacks = await sampleStacks(enforced);
    const [secret] = sent(stacks);
    const endpoints = ['billwright-create-thing', 'billwright-get-thing', 'billwright-unmatched-route'];
    expect(accepted(stacks).toSorted()).toEqual(endpoints.map((name) => [name, secret]));
    expect(stacks.ofType('AWS::ApiGatewayV2::ApiMapping', v.unknown())).toEqual([]);
  });

  it('has two secrets while one of them is replaced: functions accept both, CloudFront sends the first', async () => {
    const withSecrets = (...secrets: string[]) => sampleStacks({ firewall: { webAclArn, isEnforced: true, secrets } });
    const [both, swapped] = await Promise.all([withSecrets('a', 'b'), withSecrets('b', 'a')]);
    const [[one], [other]] = [sent(both), sent(swapped)];
    expect(one).not.toBe(other);
    expect(new Set(accepted(both).map(([, secrets]) => secrets))).toEqual(new Set([`${one} ${other}`]));
    expect(new Set(accepted(swapped).map(([, secrets]) => secrets))).toEqual(new Set([`${other} ${one}`]));
  });
});
