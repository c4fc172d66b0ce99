import { accepts } from './accept.ts';
import { AlreadyAnswered, header, type Step } from './exchange.ts';

/** Sends a browser to a page, and leaves every other request to the handler. */
export function redirection(page: string): Step {
  return {
    before: (request) => {
      request.internal.headers.vary = 'accept';
      if (!accepts(header(request, 'accept'), 'text/html')) return;
      throw new AlreadyAnswered({ statusCode: 302, headers: { location: page }, body: '' });
    },
  };
}
