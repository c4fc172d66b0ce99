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
import { type Config, NO_ORIGIN } from '#infra/config.ts';
import { HouseFirewall } from '#infra/constructs/house-firewall.ts';
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

/** API Gateway takes 10 calls a second that change an API (`infra/RUNBOOK.md`, "Calls of a deployment"). */
const ROUTES_AT_ONCE = 5;

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
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: config.requestsPerSecond, burstLimit: config.burstRequests },
      accessLogSettings: this.accessLogs(config),
      domainMapping: this.domainMapping(config),
    });
    const firewall = this.firewall(config);
    this.addEndpoints(routes, platform, firewall);
    const name = config.domain?.name ?? firewall?.domainName;
    new CfnOutput(this, 'Url', { value: name ? `https://${name}` : stage.url });
  }

  private firewall({ firewall, domain }: Config): HouseFirewall | undefined {
    if (!firewall) return undefined;
    const made = new HouseFirewall(this, { api: this.api, webAclArn: firewall.webAclArn, domain });
    if (domain) this.tellTarget(domain.name, made.domainName);
    return made;
  }

  /**
   * The functions have a stack of their own, since a stack may have 500 resources and an endpoint takes six. It is the
   * same for all areas: a function that changed stacks would be created under a name that is still in use.
   */
  private addEndpoints(endpoints: readonly Endpoint[], platform: Platform, firewall: HouseFirewall | undefined): void {
    const functions = new NestedStack(this, 'functions', { description: 'Billwright: functions of the HTTP API' });
    const handlerOf = (definition: FunctionDefinition) => {
      const handler = new HouseFunction(functions, { definition, platform });
      if (firewall) handler.lambda.addEnvironment('ORIGIN_SECRET', firewall.originSecret);
      return handler;
    };
    const unmatched = handlerOf(unmatchedRouteFunction);
    const answered = endpoints.map((match) => ({ match, handler: handlerOf(endpointFunction(match)) }));
    if (platform.config.keepsFunctionsWarm) {
      for (const { handler } of answered.filter(({ match }) => match.scope !== null)) new HouseWarmth(handler);
    }
    const others = [undefined, ...shadowedMethods(endpoints)].map((match) => ({ match, handler: unmatched }));
    const routes = [...answered, ...others].map((props) => new HouseRoute(this, { api: this.api, ...props }));
    for (const [position, route] of routes.entries()) {
      const earlier = routes[position - ROUTES_AT_ONCE];
      if (earlier) route.node.addDependency(earlier);
    }
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

  private domainMapping({ domain, firewall }: Config): DomainMappingOptions | undefined {
    if (!domain || firewall) return undefined;
    const domainName = new DomainName(this, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
    });
    this.tellTarget(domain.name, domainName.regionalDomainName);
    return { domainName };
  }

  private tellTarget(name: string, value: string): void {
    new CfnOutput(this, 'DomainTarget', { value, description: `What ${name} must be an alias of in its DNS zone.` });
  }
}
