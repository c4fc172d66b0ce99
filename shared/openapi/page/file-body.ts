import type { Component, React } from './swagger-ui.ts';

interface BodyProps {
  readonly content: Blob | string;
  readonly contentType?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const FILE_TYPE = /^(?:application\/pdf|text\/csv|(?:application|text)\/xml)\b/;

/** Swagger UI would show a PDF as text, and save that text. Here a file is saved as it came, and shown if it is text. */
export function fileBody(Original: Component, { React: { createElement: h } }: { readonly React: React }): Component {
  return function ResponseBody(props: BodyProps) {
    const { content, contentType = '', url, headers } = props;
    if (!FILE_TYPE.test(contentType)) return h(Original, { ...props });
    const [, named] = /filename="([^"]+)"/.exec(headers['content-disposition'] ?? '') ?? [];
    const name = named ?? url.slice(url.lastIndexOf('/') + 1);
    const href = URL.createObjectURL(new Blob([content], { type: contentType }));
    return h(
      'div',
      { className: 'file' },
      h('a', { href, download: name }, `Download ${name}`),
      typeof content === 'string' && h('pre', null, content),
    );
  };
}
