/** Leaves the links in the contents whose part of the page has all words that are searched. */
export function searchField(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const count = document.querySelector('#found');
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.links a')];
  const texts = new Map<HTMLAnchorElement, string>();
  const textOf = (link: HTMLAnchorElement): string => {
    const known = texts.get(link);
    if (known !== undefined) return known;
    const part = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const text = `${nameOf(link)} ${part?.textContent}`.toLowerCase();
    texts.set(link, text);
    return text;
  };
  const searched = () => (field?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const search = (): void => {
    const words = searched();
    for (const link of links) link.hidden = !words.every((word) => textOf(link).includes(word));
    for (const group of document.querySelectorAll<HTMLElement>('.links .group')) {
      group.hidden = !group.querySelector('a:not([hidden])');
    }
    const found = links.filter(({ hidden }) => !hidden).length;
    document.body.classList.toggle('searching', words.length > 0);
    if (count) count.textContent = words.length > 0 ? `${found} found` : '';
  };
  field?.addEventListener('input', search);
  field?.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return;
    const isNamed = (link: HTMLAnchorElement) => searched().every((word) => nameOf(link).includes(word));
    const found = links.filter(({ hidden }) => !hidden);
    (found.find(isNamed) ?? found[0])?.click();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
      return;
    event.preventDefault();
    field?.focus();
  });
}

function nameOf({ title, textContent }: HTMLAnchorElement): string {
  return `${title} ${textContent}`.toLowerCase();
}
