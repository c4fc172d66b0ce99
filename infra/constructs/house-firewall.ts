import { Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  type DistributionProps,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from '#infra/config.ts';
import { ORIGIN_HEADER } from '#shared/runtime/origin.ts';

export interface HouseFirewallProps {
  readonly api: HttpApi;
  readonly settings: NonNullable<Config['firewall']>;
  readonly domainName: string | undefined;
}

/** The name that the gateway gives an API. */
export function executeApiHost(api: HttpApi): string {
  const { region, urlSuffix } = Stack.of(api);
  return `${api.apiId}.execute-api.${region}.${urlSuffix}`;
}

/**
 * An HTTP API takes no firewall, but CloudFront does. It adds a secret to each request, so that functions can refuse
 * those that went around it.
 */
export class HouseFirewall extends Construct {
  readonly domainName: string;
  /** What functions accept, with spaces between; undefined while they ask for none. */
  readonly acceptedSecrets: string | undefined;

  constructor(scope: Construct, { api, settings, domainName }: HouseFirewallProps) {
    super(scope, 'Firewall');
    const { webAclArn, certificateArn, isEnforced, secrets } = settings;
    const [first, ...others] = secrets;
    const sent = this.originSecret(first);
    const accepted = [sent, ...others.map((name) => this.originSecret(name))];
    this.acceptedSecrets = isEnforced ? accepted.join(' ') : undefined;
    const distribution = new Distribution(this, 'Distribution', {
      webAclId: webAclArn,
      ...(domainName && certificateArn && this.named(domainName, certificateArn)),
      defaultBehavior: {
        origin: new HttpOrigin(executeApiHost(api), {
          customHeaders: { [ORIGIN_HEADER]: sent },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        compress: false,
      },
    });
    this.domainName = distribution.distributionDomainName;
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Callers may be anywhere.' },
      {
        id: 'AwsSolutions-CFR3',
        reason: 'The stage of the API logs each request that it gets, and the firewall counts the others.',
      },
      {
        id: 'AwsSolutions-CFR4',
        reason: 'The name of CloudFront itself, where the stage has no domain, leaves no choice.',
      },
    );
  }

  private named(domainName: string, certificateArn: string): Partial<DistributionProps> {
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  /** @returns a reference that CloudFormation resolves when it deploys: no template holds the secret */
  private originSecret(name: string): string {
    const secret = new Secret(this, `OriginSecret-${name}`, {
      description: 'Tells that a request came through the firewall.',
      generateSecretString: { passwordLength: 40, excludePunctuation: true },
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It protects no data: keys do. Its change takes three deployments (infra/RUNBOOK.md, "A firewall").',
    });
    return secret.secretValue.unsafeUnwrap();
  }
}
