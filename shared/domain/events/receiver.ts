/** Which URLs a webhook may have. What their names mean by now is checked where the connection is made. */

export const MAX_URL_LENGTH = 2_000;

/** Names of one network, which nobody else can mean. */
const NEARBY = /(?:^|\.)(?:local|localhost|internal|home\.arpa)$/;

const IP_LITERAL = /^(?:\[|\d+\.\d+\.\d+\.\d+$)/;

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}(?:[/?]|$)/;

/** A parser drops or replaces the rest, so that others might read another URL. */
export const isUrl = (text: string): boolean => URL.canParse(text) && !/[\s\\]/.test(text);

interface Surroundings {
  /** Under which this service is called, with the ports where they are not usual. */
  readonly ownHosts: readonly string[];
  /** Whether the service runs on a developer's machine, where receivers listen too. */
  readonly allowsLoopback: boolean;
}

/** @returns what is wrong with the URL, if anything is */
export function faultOfReceiver(text: string, { ownHosts, allowsLoopback }: Surroundings): string | undefined {
  if (!isUrl(text)) return 'Expected a URL.';
  const url = new URL(text);
  if (text.length > MAX_URL_LENGTH) return `Expected at most ${MAX_URL_LENGTH} characters.`;
  if (text.includes('#')) return 'Expected a URL without a fragment.';
  if (ownHosts.some((host) => isAt(url, host))) return 'Expected the URL of another service than this one.';
  if (allowsLoopback && LOOPBACK.test(text)) return undefined;
  if (!/^https:\/\/[^/?]/i.test(text)) return 'Expected a URL that begins with https://.';
  if (/^[^/]*\/\/[^/?]*@/.test(text)) return 'Expected a URL without user and password.';
  if (url.port !== '') return 'Expected no port, or 443.';
  if (IP_LITERAL.test(url.hostname)) return 'Expected a host name, not an address.';
  const labels = url.hostname.split('.');
  if (labels.length < 2 || labels.includes('')) return 'Expected a host name of at least two labels.';
  if (NEARBY.test(url.hostname)) return 'Expected a host name that is known everywhere.';
  return undefined;
}

/** The names of loopback are one host. */
function isAt(url: URL, host: string): boolean {
  const withoutName = (each: string) => each.toLowerCase().replace(/^(?:127\.0\.0\.1|localhost)(?=:|$)/, '');
  return withoutName(url.host) === withoutName(host);
}
