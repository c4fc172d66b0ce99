import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Returns the JSON of the request's body as its result: a test can try any result. */
export async function handler({ body = 'null' }: APIGatewayProxyEventV2): Promise<unknown> {
  return JSON.parse(body);
}
