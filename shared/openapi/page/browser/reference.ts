import { colourCode } from './colours.ts';
import { type Caller, keyField } from './key-field.ts';
import { showParts } from './parts.ts';
import { readRealIds } from './real-ids.ts';
import { searchField } from './search-field.ts';
import { send } from './try.ts';

/** The script of the reference. Without it everything can be read. */

const PLACEHOLDER = 'https://HOST';

for (const sample of document.querySelectorAll('[data-sample]')) {
  sample.textContent = sample.textContent.replaceAll(PLACEHOLDER, location.origin);
}

const caller: Caller = keyField((credentials) => void readRealIds(credentials));

searchField();
showParts();
colourCode();

document.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.target instanceof HTMLFormElement && event.target.dataset.path)
    void send(event.target, caller.credentials());
});

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button?.dataset.language) chooseLanguage(button.dataset.language);
  if (button && 'copies' in button.dataset) void copy(button);
  if (button?.classList.contains('menu')) button.ariaExpanded = String(button.ariaExpanded !== 'true');
  if (target instanceof Element && target.closest('.links a')) closeMenu();
});

function chooseLanguage(language: string): void {
  document.documentElement.dataset.language = language;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-language]')) {
    button.ariaPressed = String(button.dataset.language === language);
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.closest('.code')?.querySelector(`pre.${document.documentElement.dataset.language}`);
  await navigator.clipboard.writeText(code?.textContent ?? '');
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2_000);
}

function closeMenu(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.menu')) button.ariaExpanded = 'false';
}

/** Marks the place of the reader in the contents. */
const watched = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      const link = linkTo(target.id);
      for (const other of document.querySelectorAll('.links [aria-current]')) other.removeAttribute('aria-current');
      link?.setAttribute('aria-current', 'location');
      if (link) scrollContents(link);
    }
  },
  { rootMargin: '-12% 0px -87% 0px' },
);

/** `scrollIntoView` would also make the next Tab of the reader start there. */
function scrollContents(link: Element): void {
  const contents = link.closest('.contents');
  if (!contents) return;
  const { top, bottom } = contents.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < top) contents.scrollTop += place.top - top;
  if (place.bottom > bottom) contents.scrollTop += place.bottom - bottom;
}

function linkTo(id: string): Element | undefined {
  return [...document.querySelectorAll('.links a')].find((link) => link.getAttribute('href') === `#${id}`);
}

for (const part of document.querySelectorAll('main section[id]:not(.area), main article[id]')) watched.observe(part);
