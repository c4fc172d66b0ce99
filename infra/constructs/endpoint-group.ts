import { NestedStack, Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpRoute, HttpRouteKey, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import { endpointFunction, type FunctionDefinition, unmatchedRouteFunction } from '#infra/functions.ts';
import type { Platform } from '#infra/platform.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { shadowedMethods } from '#shared/contract/path.ts';
import { HouseFunction } from './house-function.ts';

export interface EndpointGroupProps {
  readonly api: IHttpApi;
  readonly endpoints: readonly Endpoint[];
  readonly platform: Platform;
}

/**
 * A nested stack for each area: an endpoint takes six resources, a stack may have 500, and moving a deployed function
 * to another stack replaces it.
 */
export class EndpointGroup extends NestedStack {
  private readonly props: EndpointGroupProps;

  constructor(scope: Construct, area: string, props: EndpointGroupProps) {
    super(scope, area, { description: `Endpoints of the area ${area}` });
    this.props = props;
    for (const endpoint of props.endpoints) {
      this.addRoutes(endpointFunction(endpoint), [routeKey(endpoint)]);
    }
  }

  addUnmatchedRoutes(routes: readonly Endpoint[]): void {
    this.addRoutes(unmatchedRouteFunction, [HttpRouteKey.DEFAULT, ...shadowedMethods(routes).map(routeKey)]);
  }

  private addRoutes(definition: FunctionDefinition, routeKeys: readonly HttpRouteKey[]): void {
    const { api, platform } = this.props;
    const handler = new HouseFunction(this, { definition, platform });
    const integration = new HttpLambdaIntegration('Integration', handler.lambda);
    routeKeys.forEach((key, position) => {
      const route = new HttpRoute(handler, `Route${position || ''}`, { httpApi: api, routeKey: key, integration });
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: definition.authenticates
          ? 'The function checks the key and its scope itself, with the one update that also leases rate-limit tokens; an authorizer would be a second function on the path of every request.'
          : 'It answers without a key by contract, and touches no data.',
      });
    });
  }
}

function routeKey({ path, method }: Pick<Endpoint, 'path' | 'method'>): HttpRouteKey {
  return HttpRouteKey.with(path, HttpMethod[method]);
}
