import * as v from 'valibot';
import { arn } from '../names.ts';
import type { Resolver } from '../resolve.ts';
import { AssemblyError, type Resource } from '../template.ts';
import { functionNameOf, type InvocationRight } from './functions.ts';
import { flag, named, numeric, parse } from './properties.ts';

const corsProperties = v.object({
  AllowOrigins: v.optional(v.array(v.string()), []),
  AllowMethods: v.optional(v.array(v.string()), []),
  AllowHeaders: v.optional(v.array(v.string()), []),
  ExposeHeaders: v.optional(v.array(v.string()), []),
  AllowCredentials: v.optional(flag, false),
  MaxAge: v.optional(numeric),
});

export type CorsPlan = v.InferOutput<typeof corsProperties>;

const apiProperties = v.object({ ProtocolType: v.literal('HTTP'), CorsConfiguration: v.optional(corsProperties) });
const stageProperties = v.object({
  ApiId: v.string(),
  StageName: v.string(),
  DefaultRouteSettings: v.optional(
    v.object({ ThrottlingRateLimit: v.optional(numeric), ThrottlingBurstLimit: v.optional(numeric) }),
    {},
  ),
});
const routeProperties = v.object({
  ApiId: v.string(),
  RouteKey: v.pipe(v.string(), v.regex(/^(?!ANY )[^+]*$/, 'The local cloud knows neither ANY nor greedy paths.')),
  Target: v.string(),
});
const integrationProperties = v.object({
  ApiId: v.string(),
  IntegrationType: v.literal('AWS_PROXY'),
  IntegrationUri: v.string(),
  PayloadFormatVersion: v.literal('2.0'),
  TimeoutInMillis: v.optional(numeric, 30_000),
});

export interface RoutePlan {
  /** `GET /things/{id}` or `$default`. */
  readonly routeKey: string;
  readonly functionName: string;
  readonly timeoutMilliseconds: number;
}

export interface ApiPlan {
  readonly id: string;
  readonly stage: string;
  readonly cors?: CorsPlan;
  /** The limit of the requests of all callers together, if the stage has one. */
  readonly throttle?: { readonly perSecond: number; readonly burst: number };
  readonly routes: readonly RoutePlan[];
}

export function apiPlans(resolver: Resolver, isInvokable: InvocationRight): ApiPlan[] {
  return resolver.resourcesOf('AWS::ApiGatewayV2::Api').map((resource) => apiPlan(resolver, resource, isInvokable));
}

function apiPlan(resolver: Resolver, resource: Resource, isInvokable: InvocationRight): ApiPlan {
  const id = named(resolver, resource).name;
  const { CorsConfiguration } = parse(resolver, resource, apiProperties);
  const integrations = new Map(
    resolver
      .resourcesOf('AWS::ApiGatewayV2::Integration')
      .map((integration) => [named(resolver, integration).name, parse(resolver, integration, integrationProperties)]),
  );
  const stage = resolver
    .resourcesOf('AWS::ApiGatewayV2::Stage')
    .map((candidate) => parse(resolver, candidate, stageProperties))
    .find(({ ApiId }) => ApiId === id);
  if (!stage) throw new AssemblyError(`The API ${resource.logicalId} has no stage.`);
  const routes = resolver
    .resourcesOf('AWS::ApiGatewayV2::Route')
    .map((route) => parse(resolver, route, routeProperties))
    .filter(({ ApiId }) => ApiId === id)
    .map(({ RouteKey, Target }) => {
      const integration = integrations.get(Target.replace('integrations/', ''));
      if (!integration) throw new AssemblyError(`The route ${RouteKey} has no integration.`);
      const functionName = functionNameOf(integration.IntegrationUri);
      const [method, path] = RouteKey === '$default' ? ['*', '/$default'] : RouteKey.split(' ');
      const source = arn('execute-api', `${id}/${stage.StageName}/${method}${path}`);
      if (!isInvokable(functionName, 'apigateway.amazonaws.com', source)) {
        throw new AssemblyError(`API Gateway may not invoke ${functionName} for ${RouteKey}.`);
      }
      return { routeKey: RouteKey, functionName, timeoutMilliseconds: integration.TimeoutInMillis };
    });
  const { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: burst } = stage.DefaultRouteSettings;
  const throttle = perSecond !== undefined && burst !== undefined ? { perSecond, burst } : undefined;
  return { id, stage: stage.StageName, cors: CorsConfiguration, throttle, routes };
}
