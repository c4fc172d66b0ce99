import type { Credentials } from './key-field.ts';

/** Sends the request of a form, and shows the response as it is. */
export async function send(form: HTMLFormElement, credentials: Credentials): Promise<void> {
  const outcome = form.querySelector<HTMLElement>('.outcome');
  if (!outcome) return;
  outcome.replaceChildren('Sending ...');
  const begun = performance.now();
  try {
    const response = await fetch(...requestOf(form, credentials));
    const bytes = new Blob([await response.arrayBuffer()], { type: response.headers.get('content-type') ?? '' });
    const line = element('p', `${response.status} ${response.statusText}, ${Math.round(performance.now() - begun)} ms`);
    outcome.replaceChildren(line, headers(response), ...(await content(response, bytes)));
  } catch (error) {
    outcome.replaceChildren(`The service does not answer: ${error}`);
  }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function requestOf(form: HTMLFormElement, credentials: Credentials): [string, RequestInit] {
  const { method = 'GET', path = '/' } = form.dataset;
  const fields = [...form.querySelectorAll<Field>('[data-in]')].filter(({ value }) => value !== '');
  const of = (place: string) => fields.filter((field) => field.dataset.in === place);
  const filled = of('path').reduce(
    (rest, { name, value }) => rest.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(of('query').map(({ name, value }): [string, string] => [name, value])).toString();
  const [chosen] = of('file');
  const file = chosen instanceof HTMLInputElement ? chosen.files?.[0] : undefined;
  const body = file ?? of('body')[0]?.value;
  const sent = new Headers(of('header').map(({ name, value }): [string, string] => [name, value]));
  for (const [name, value] of Object.entries(credentials)) sent.set(name, value);
  if (body !== undefined) sent.set('Content-Type', file?.type ?? 'application/json');
  for (const { value } of of('accept')) sent.set('Accept', value);
  return [query ? `${filled}?${query}` : filled, { method, headers: sent, body }];
}

function headers(response: Response): HTMLElement {
  const details = element('details', '');
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  details.append(element('summary', 'Headers'), element('pre', lines));
  return details;
}

async function content(response: Response, bytes: Blob): Promise<HTMLElement[]> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) return [element('pre', JSON.stringify(JSON.parse(await bytes.text()), null, 2))];
  const file = saving(bytes, fileName(response));
  return type.startsWith('text/') || type.includes('xml') ? [file, element('pre', await bytes.text())] : [file];
}

/** Links that open and save exactly the bytes that arrived. */
function saving(bytes: Blob, name: string): HTMLElement {
  const line = element('p', '');
  for (const [words, download] of [
    ['Open', ''],
    ['Save', name],
  ] as const) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(bytes);
    link.textContent = `${words} ${name}`;
    if (download) link.download = download;
    else link.target = '_blank';
    line.append(link, ' ');
  }
  return line;
}

function fileName(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'response';
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
