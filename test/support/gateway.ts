import { expect } from 'vitest';

/** API Gateway refuses a broken path by itself, without our headers. */
export async function expectGatewayOfAws(url: string): Promise<void> {
  const answer = await fetch(`${url}/products/%zz`);
  expect(answer.headers.has('x-request-id')).toBe(false);
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 400,
    body: { message: 'Bad Request' },
  });
}
