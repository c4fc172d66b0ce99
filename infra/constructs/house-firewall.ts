import { Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
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
  readonly webAclArn: string;
  readonly domain: Config['domain'];
}

/**
 * An HTTP API takes no firewall, but CloudFront does. It adds a secret to each request, so that functions can refuse
 * those that went around it.
 */
export class HouseFirewall extends Construct {
  readonly domainName: string;
  /** CloudFormation reads it when it deploys: no template holds it. */
  readonly originSecret: string;

  constructor(scope: Construct, { api, webAclArn, domain }: HouseFirewallProps) {
    super(scope, 'Firewall');
    const secret = new Secret(this, 'OriginSecret', {
      description: 'Tells that a request came through the firewall.',
      generateSecretString: { passwordLength: 40, excludePunctuation: true },
    });
    this.originSecret = secret.secretValue.unsafeUnwrap();
    const { region, urlSuffix } = Stack.of(this);
    const distribution = new Distribution(this, 'Distribution', {
      webAclId: webAclArn,
      domainNames: domain && [domain.name],
      certificate: domain && Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: domain && SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: {
        origin: new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`, {
          customHeaders: { [ORIGIN_HEADER]: this.originSecret },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        compress: false,
      },
    });
    this.domainName = distribution.distributionDomainName;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It protects no data: keys do. To change it, functions and CloudFront have to be deployed together.',
    });
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
}
