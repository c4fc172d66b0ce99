import { StartError } from './errors.ts';

/** An error for a wrong setting is one line that names its variable. */

export function portSetting(name: string, byDefault: number): number {
  const text = process.env[name];
  const port = text ? Number(text) : byDefault;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`${name} is no port number: ${text}`);
}

export function urlSetting(name: string, schemes: readonly ('http' | 'https')[]): string | undefined {
  const text = process.env[name];
  if (!text) return undefined;
  const isKnown = schemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}://`));
  if (isKnown && URL.canParse(text)) return text;
  const expected = schemes.map((scheme) => `${scheme}://`).join(' or ');
  throw new StartError(`${name} is no URL that begins with ${expected}: ${text}`);
}

export function issuerSetting(): { readonly issuer: string; readonly audience: string } | undefined {
  const issuer = urlSetting('OIDC_ISSUER', ['http', 'https']);
  const audience = process.env.OIDC_AUDIENCE;
  if (issuer && audience) return { issuer, audience };
  if (issuer || audience) throw new StartError('OIDC_ISSUER and OIDC_AUDIENCE belong together: set both, or none.');
  return undefined;
}

/** Only HTTP: the AWS endpoint passes calls on without the signature that the service itself asks for. */
export function dynamoEndpointSetting(): string | undefined {
  return urlSetting('DYNAMODB_ENDPOINT', ['http']);
}
