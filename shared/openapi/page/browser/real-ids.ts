import type { Credentials } from './key-field.ts';

/** Puts ids that exist in the organization of the caller in the place of those of the examples. */
export async function readRealIds(credentials: Credentials): Promise<void> {
  const main = document.querySelector<HTMLElement>('main');
  if (!main) return;
  const shown = new Map<string, string>(Object.entries(JSON.parse(main.dataset.examples ?? '{}')));
  const found = await Promise.all(
    [...shown.keys()].map(async (path) => [path, await firstId(path, credentials)] as const),
  );
  const pairs = found.flatMap(([path, id]) => (id ? [{ path, from: shown.get(path) ?? '', to: id }] : []));
  const real = (text: string) => pairs.reduce((rest, { from, to }) => rest.replaceAll(from, to), text);
  for (const sample of main.querySelectorAll('[data-sample]')) sample.textContent = real(sample.textContent);
  for (const field of main.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)) {
    field.value = real(field.value);
  }
  for (const { path, to } of pairs) shown.set(path, to);
  main.dataset.examples = JSON.stringify(Object.fromEntries(shown));
}

/** Nothing that exists is offered for deletion. */
const FIELDS = 'form:not([data-method="DELETE"]) :is(input, textarea)';

async function firstId(path: string, headers: Credentials): Promise<string | undefined> {
  const response = await fetch(`${path}?limit=1`, { headers });
  return response.ok ? (await response.json()).data[0]?.id : undefined;
}
