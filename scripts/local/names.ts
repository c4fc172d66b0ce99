/** The account and region of the local cloud. Every ARN in it is made of them. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

export function arn(service: string, resource: string, { region = REGION }: { region?: string } = {}): string {
  return `arn:aws:${service}:${region}:${ACCOUNT}:${resource}`;
}
