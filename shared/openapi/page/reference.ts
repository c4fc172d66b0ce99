import { fileBody } from './file-body.ts';
import { layout } from './layout.ts';
import { partAt, resolved } from './resolved.ts';
import { responses } from './responses.ts';
import type { ParameterMap, Plugin, React, SwaggerUiBundle } from './swagger-ui.ts';

declare const SwaggerUIBundle: SwaggerUiBundle;
declare const location: { readonly hash: string };
declare const document: {
  getElementById(id: string): Part | null;
  addEventListener(type: 'click', listener: (event: { readonly target: ClickTarget }) => void): void;
};
declare const addEventListener: (type: 'hashchange', listener: () => void) => void;

interface Part {
  open?: boolean;
  scrollIntoView(): void;
}

interface ClickTarget {
  closest(selector: string): { target: string } | null;
}

function plugin({ React }: { readonly React: React }): Plugin {
  return {
    components: {
      ReferenceLayout: layout(React),
      responses: responses(React),
      // Every operation is always ready to be tried.
      TryItOutButton: () => null,
    },
    wrapComponents: { responseBody: fileBody },
    fn: {
      resolveSubtree: async (openApi, path) => ({ errors: [], spec: resolved(partAt(path, openApi), openApi) }),
    },
    statePlugins: {
      spec: { wrapSelectors: { parameterWithMetaByIdentity: exampleInWords } },
      // Swagger UI would scroll the element below the toolbar.
      layout: { wrapActions: { scrollToElement: () => (element: Part) => element.scrollIntoView() } },
    },
  };
}

type ParameterSelector = (...parameterOf: readonly unknown[]) => ParameterMap;

/**
 * Swagger UI fills in the examples of parameters. A list would then be filtered by all of them, and an `If-Match` would
 * never match. So the examples of optional parameters move to the description.
 */
function exampleInWords(select: ParameterSelector): ParameterSelector {
  return (_state, ...parameterOf) => {
    const parameter = select(...parameterOf);
    const example = parameter.get('example');
    if (example === undefined || parameter.get('required') === true) return parameter;
    const description = [parameter.get('description'), `Example: \`${example}\``].filter(Boolean).join(' ');
    return parameter.delete('example').set('description', description);
  };
}

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  plugins: [plugin],
  layout: 'ReferenceLayout',
  deepLinking: true,
  docExpansion: 'list',
  // A member's description is at the third level, below `data`.
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: openLinked,
});

/** Opens an operation (`#/invoices/createInvoice`) or a part of the introduction (`#retrying`). */
function openLinked(): void {
  const { hash } = location;
  const isOperation = hash.startsWith('#/');
  if (isOperation) ui.layoutActions.parseDeepLinkHash(hash);
  const part = document.getElementById(isOperation ? `operations${hash.slice(1).replaceAll('/', '-')}` : hash.slice(1));
  if (part) part.open = true;
  part?.scrollIntoView();
}

addEventListener('hashchange', openLinked);

// Swagger UI opens every link of a text in a new tab, even one within the page.
document.addEventListener('click', ({ target }) => {
  const link = target.closest('a[href^="/docs#"]');
  if (link) link.target = '';
});
