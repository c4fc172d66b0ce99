import { CfnOutput, CfnParameter, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
import { EndpointGroup } from '#infra/constructs/endpoint-group.ts';
import { accessLogName, type Platform } from '#infra/platform.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';

export interface ApiStackProps {
  readonly routes: readonly Endpoint[];
  readonly platform: Platform;
}

export class ApiStack extends Stack {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, { routes, platform }: ApiStackProps) {
    super(scope, id, { description: 'Billwright: HTTP API' });
    const { config } = platform;
    this.api = new HttpApi(this, 'Api', {
      apiName: config.prefix,
      createDefaultStage: false,
      /** The gateway's own name would be a way around a domain with a firewall. */
      disableExecuteApiEndpoint: config.domain !== undefined,
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
    this.addEndpoints(routes, platform);
    new CfnOutput(this, 'Url', { value: config.domain ? `https://${config.domain.name}` : stage.url });
  }

  /** The area `meta` always exists: it answers unmatched requests. */
  private addEndpoints(routes: readonly Endpoint[], platform: Platform): void {
    const areas = new Set([...routes.map(({ area }) => area), 'meta' as const]);
    for (const area of areas) {
      const endpoints = routes.filter((endpoint) => endpoint.area === area);
      const group = new EndpointGroup(this, area, { api: this.api, endpoints, platform });
      if (area === 'meta') group.addUnmatchedRoutes(routes);
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

  private domainMapping({ domain }: Config): DomainMappingOptions | undefined {
    if (!domain) return undefined;
    const domainName = new DomainName(this, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
    });
    new CfnOutput(this, 'DomainTarget', {
      value: domainName.regionalDomainName,
      description: `What ${domain.name} must be an alias of in its DNS zone.`,
    });
    return { domainName };
  }
}
