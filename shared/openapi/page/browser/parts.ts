/** Shows one part of the reference at a time: the start, the conventions, an area or the schemas. */
export function showParts(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('main > .part')];
  const show = (): void => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const shown = target?.closest('.part') ?? parts[0];
    for (const part of parts) part.hidden = part !== shown;
    if (target) target.scrollIntoView();
    else scrollTo(0, 0);
  };
  addEventListener('hashchange', show);
  show();
}
