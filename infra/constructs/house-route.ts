import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpRoute, HttpRouteKey, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import type { HouseFunction } from './house-function.ts';

export interface HouseRouteProps {
  readonly api: IHttpApi;
  /** Undefined for the default route. */
  readonly match: Pick<Endpoint, 'path' | 'method'> | undefined;
  readonly handler: HouseFunction;
}

/**
 * Method and path alone name it and its integration. CloudFormation creates before it deletes, and the API refuses a
 * second route of one key, so another function behind a route has to change the route in place.
 */
export class HouseRoute extends HttpRoute {
  constructor(scope: Construct, { api, match, handler }: HouseRouteProps) {
    super(scope, idOf(match), {
      httpApi: api,
      routeKey: match ? HttpRouteKey.with(match.path, HttpMethod[match.method]) : HttpRouteKey.DEFAULT,
      integration: new HttpLambdaIntegration(INTEGRATION, handler.lambda),
    });
    // A request must not meet a function that the API may not call yet.
    this.node.findChild(INTEGRATION).node.addDependency(this.node.findChild(`${INTEGRATION}-Permission`));
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: handler.definition.authenticates
        ? 'The function checks the key and its scope itself, with the one update that also leases rate-limit tokens; an authorizer would be a second function on the path of every request.'
        : 'It answers without a key by contract, and touches no data of an organization.',
    });
  }
}

const INTEGRATION = 'Integration';

/** A path with a renamed parameter is the same path. */
function idOf(match: HouseRouteProps['match']): string {
  return match ? `${match.method} ${match.path.replaceAll(/\{\w+\}/g, '{}')}` : 'any';
}
