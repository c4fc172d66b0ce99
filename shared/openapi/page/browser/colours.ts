const KINDS = ['name', 'text', 'word', 'number'];

/** A text that does not end goes to the end of its line: else each quotation mark in it would be tried anew. */
const TOKEN =
  /(?<name>"[^"\\\n]*"(?=:)|\b\w+(?=: ))|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:https?:|[\w-]+: )[^'\n]*'|`[^`]*`)|(?<word>\b(?:await|const|export|false|from|if|import|new|null|throw|true|type)\b|(?<=\s)--?[A-Za-z][\w-]*)|(?<number>(?<![\w-])\d+(?:\.\d+)?(?![\w-]))/g;

/** Code has colours once it is seen, and its text stays as it is. Browsers that do not know highlights show it plain. */
export function colourCode(): void {
  if (!('highlights' in CSS)) return;
  for (const kind of KINDS) CSS.highlights.set(kind, new Highlight());
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      colour(target);
    }
  });
  for (const code of document.querySelectorAll('pre > code')) {
    seen.observe(code);
    // Its text may be replaced, by one with ids that exist.
    new MutationObserver(() => seen.observe(code)).observe(code, { childList: true });
  }
}

function colour(code: Element): void {
  const { firstChild: text } = code;
  if (!text) return;
  for (const { index, 0: found, groups = {} } of code.textContent.matchAll(TOKEN)) {
    const range = new StaticRange({
      startContainer: text,
      startOffset: index,
      endContainer: text,
      endOffset: index + found.length,
    });
    const kind = KINDS.find((each) => groups[each] !== undefined) ?? '';
    CSS.highlights.get(kind)?.add(range);
  }
}
