import { createHash } from 'node:crypto';
import { CfnOutput, CfnParameter, Duration, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CorsHttpMethod,
  type CorsPreflightOptions,
  type DomainMappingOptions,
  DomainName,
  HttpApi,
  HttpStage,
  type IAccessLogSettings,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { accessOf } from '#infra/access.ts';
import { type Config, NO_ORIGIN } from '#infra/config.ts';
import { executeApiHost, HouseFirewall } from '#infra/constructs/house-firewall.ts';
import { HouseFunction } from '#infra/constructs/house-function.ts';
import { HouseRoute } from '#infra/constructs/house-route.ts';
import { HouseWarmth } from '#infra/constructs/house-warmth.ts';
import { endpointFunction, type FunctionDefinition, unmatchedRouteFunction } from '#infra/functions.ts';
import { accessLogName, type Platform } from '#infra/platform.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { shadowedMethods } from '#shared/contract/path.ts';

export interface ApiStackProps {
  readonly routes: readonly Endpoint[];
  readonly platform: Platform;
}

/** A stack may have 500 resources and a megabyte; these have room for three times as many functions as there are. */
const STACKS_OF_FUNCTIONS = 4;

export class ApiStack extends Stack {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { routes, platform }: ApiStackProps) {
    super(scope, id, { description: 'Billwright: HTTP API' });
    const { config } = platform;
    this.api = new HttpApi(this, 'Api', {
      apiName: config.prefix,
      createDefaultStage: false,
      /** CloudFront calls the gateway by this name, which else would be a way around the domain. */
      disableExecuteApiEndpoint: config.domain !== undefined && !config.firewall,
      corsPreflight: this.corsPreflight(config),
    });
    const firewall = this.firewall(config);
    const lastRoute = this.addEndpoints(routes, platform, firewall);
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: config.requestsPerSecond, burstLimit: config.burstRequests },
      accessLogSettings: this.accessLogs(config),
      domainMapping: this.domainMapping(config),
    });
    // It deploys itself after each change of a route.
    stage.node.addDependency(lastRoute);
    const name = config.domain?.name ?? firewall?.domainName;
    new CfnOutput(this, 'Url', { value: name ? `https://${name}` : stage.url });
  }

  private firewall({ firewall, domain }: Config): HouseFirewall | undefined {
    if (!firewall) return undefined;
    const made = new HouseFirewall(this, { api: this.api, settings: firewall, domainName: domain?.name });
    if (domain) this.tellTarget(domain.name, made.domainName);
    return made;
  }

  /**
   * One route after the other: API Gateway refuses a change of an API beside another one, and takes ten calls a second
   * (`infra/RUNBOOK.md`, "Calls of a deployment").
   *
   * @returns the last route
   */
  private addEndpoints(
    endpoints: readonly Endpoint[],
    platform: Platform,
    firewall: HouseFirewall | undefined,
  ): HouseRoute {
    const stacks = Array.from({ length: STACKS_OF_FUNCTIONS }, (_, position) => this.stackOfFunctions(position));
    const ownHosts = this.ownHosts(platform.config, firewall).join(' ');
    const handlerOf = (definition: FunctionDefinition) => {
      const handler = new HouseFunction(stacks[placeOf(definition)] ?? this, { definition, platform });
      const { takesUrls } = accessOf(definition.name, platform.access);
      if (takesUrls) handler.lambda.addEnvironment('OWN_HOSTS', ownHosts);
      if (firewall?.acceptedSecrets) handler.lambda.addEnvironment('ORIGIN_SECRETS', firewall.acceptedSecrets);
      return handler;
    };
    const unmatched = handlerOf(unmatchedRouteFunction);
    const answered = endpoints.map((match) => ({ match, handler: handlerOf(endpointFunction(match)) }));
    if (platform.config.keepsFunctionsWarm) {
      for (const { handler } of answered.filter(({ match }) => match.scope !== null)) new HouseWarmth(handler);
    }
    const shadowed = shadowedMethods(endpoints).map((match) => ({ match, handler: unmatched }));
    return [...answered, ...shadowed].reduce(
      (earlier, props) => {
        const route = new HouseRoute(this, { api: this.api, ...props });
        route.node.addDependency(earlier);
        return route;
      },
      new HouseRoute(this, { api: this.api, match: undefined, handler: unmatched }),
    );
  }

  /** All names of the service: a webhook would call it by none of them. */
  private ownHosts({ domain }: Config, firewall: HouseFirewall | undefined): string[] {
    const names = [executeApiHost(this.api), domain?.name, firewall?.domainName];
    return names.filter((name) => name !== undefined);
  }

  private stackOfFunctions(position: number): NestedStack {
    return new NestedStack(this, `functions-${position}`, { description: 'Billwright: functions of the HTTP API' });
  }

  private corsPreflight(config: Config): CorsPreflightOptions {
    const allowedOrigins = new CfnParameter(this, 'AllowedOrigins', {
      type: 'CommaDelimitedList',
      default: config.allowedOrigins.join(',') || NO_ORIGIN,
      description: 'Origins of the pages that may call the API from a browser.',
    });
    return {
      allowOrigins: allowedOrigins.valueAsList,
      allowMethods: [
        CorsHttpMethod.GET,
        CorsHttpMethod.POST,
        CorsHttpMethod.PUT,
        CorsHttpMethod.PATCH,
        CorsHttpMethod.DELETE,
        CorsHttpMethod.OPTIONS,
      ],
      allowHeaders: [
        'accept',
        'authorization',
        'baggage',
        'billwright-organization',
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
      exposeHeaders: [
        'billwright-ignored',
        'content-disposition',
        'etag',
        'idempotency-replayed',
        'link',
        'location',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
        'www-authenticate',
        'x-request-id',
      ],
      /** Chromium's limit. */
      maxAge: Duration.hours(2),
    };
  }

  /** Omits query, headers and body. */
  private accessLogs(config: Config): IAccessLogSettings {
    const logGroup = new LogGroup(this, 'AccessLogs', {
      logGroupName: accessLogName(config.prefix),
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const fields = {
      requestId: '$context.requestId',
      requestTime: '$context.requestTime',
      sourceIp: '$context.identity.sourceIp',
      routeKey: '$context.routeKey',
      status: '$context.status',
      responseLengthBytes: '$context.responseLength',
      latencyMilliseconds: '$context.responseLatency',
      functionLatencyMilliseconds: '$context.integrationLatency',
      functionError: '$context.integrationErrorMessage',
    };
    return {
      destination: new LogGroupLogDestination(logGroup),
      format: AccessLogFormat.custom(JSON.stringify(fields)),
    };
  }

  /** It stays until all callers come through the firewall: DNS is slow to forget it. */
  private domainMapping({ domain, firewall }: Config): DomainMappingOptions | undefined {
    if (!domain || firewall?.isEnforced) return undefined;
    const domainName = new DomainName(this, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
    });
    if (!firewall) this.tellTarget(domain.name, domainName.regionalDomainName);
    return { domainName };
  }

  private tellTarget(name: string, value: string): void {
    new CfnOutput(this, 'DomainTarget', { value, description: `What ${name} must be an alias of in its DNS zone.` });
  }
}

/**
 * By the name alone: a function that changed stacks, because its area or another function did, would be created under
 * a name that is still in use.
 */
function placeOf({ name }: FunctionDefinition): number {
  return createHash('sha256').update(name).digest().readUInt8() % STACKS_OF_FUNCTIONS;
}
