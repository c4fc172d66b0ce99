import type { Page } from '#shared/pdf/page.ts';
import type { Line, TextStyle, Typesetter } from '#shared/pdf/typesetter/typesetter.ts';

/**
 * Sets text without a font, every character as wide as the next: it takes no time, and what stands on a page can be read from the marks that are
 * about to be drawn.
 */
export class PlainTypesetter implements Typesetter {
  readonly #texts = new WeakMap<Line, string>();

  line(text: string, style: TextStyle): Line {
    const line = { pieces: [], style, width: text.length * style.sizePoints * 0.5, endsInWord: false };
    this.#texts.set(line, text);
    return line;
  }

  lines(text: string, style: TextStyle): Line[] {
    return text.split('\n').map((each) => this.line(each, style));
  }

  shortened(text: string, style: TextStyle): Line {
    return this.line(text, style);
  }

  /** What stands on the pages, in the order of reading. */
  textsOn(pages: readonly Page[]): string[] {
    return pages.flat().flatMap((mark) => (mark.kind === 'text' ? [this.#texts.get(mark.line) ?? ''] : []));
  }
}
