import { type Block, NO_BLOCK, placeLines } from './flow.ts';
import {
  bottomOf,
  CONTENT_WIDTH,
  heightOf,
  LEFT,
  type Mark,
  type Page,
  RIGHT,
  rule,
  stacked,
  tagged,
  textFromLeft,
  textToRight,
} from './page.ts';
import { fitting, type Printing, titleOf } from './printing.ts';
import { FOOTER, HAIRLINE, WATERMARK_WIDTH, WATERMARKS } from './styles.ts';
import { paragraph } from './tags.ts';
import type { Line } from './typesetter/typesetter.ts';
import { FOLD_MARK } from './window.ts';

const SPACE_ABOVE = 10;

export function contactOf(printing: Printing): Block {
  const { words, typesetter } = printing;
  const { contactName, email, phone, website, registrationNumber } = printing.invoice.seller;
  const registration = registrationNumber && `${words.registrationNumber} ${registrationNumber}`;
  const details = [contactName, email, phone, website, registration].filter(Boolean);
  if (details.length === 0) return NO_BLOCK;
  const lines = typesetter.lines(details.join('  ·  '), FOOTER, CONTENT_WIDTH);
  return {
    height: SPACE_ABOVE + heightOf(lines),
    place: (flow) => {
      flow.skip(SPACE_ABOVE);
      flow.ensure(heightOf(lines));
      flow.skip(Math.max(0, flow.room - heightOf(lines)));
      placeLines(flow, lines, LEFT, paragraph());
    },
  };
}

/** What the seller wants at the foot of each page; no line for most. */
export function footerOf({ invoice: { seller }, typesetter }: Printing): readonly Line[] {
  return seller.footer ? typesetter.lines(seller.footer, FOOTER, CONTENT_WIDTH) : [];
}

/** With the space to the name below. */
export function footerHeight(footer: readonly Line[]): number {
  return footer.length === 0 ? 0 : heightOf(footer) + SPACE_BELOW;
}

const SPACE_BELOW = 4;
const FOOTER_SPACE = 18;
const NAME_GAP = 16;
const PADDING = 6;

function watermark(word: string, status: keyof typeof WATERMARKS, { figures, typesetter }: Printing): Mark {
  return {
    kind: 'watermark',
    line: fitting(figures.capitals(word), WATERMARKS[status], WATERMARK_WIDTH, typesetter),
  };
}

function foldMarks({ paper: { folds, margin } }: Printing): Mark[] {
  return folds.map((y) => rule(y, 0.4, HAIRLINE, FOLD_MARK.x - margin, FOLD_MARK.width));
}

/** Adds footer, name and number to each page, and a watermark behind the text if the status has one. */
export function withFooters(pages: readonly Page[], printing: Printing, footer: readonly Line[]): Page[] {
  const { invoice, words, typesetter, paper } = printing;
  const { status } = invoice;
  const end = bottomOf(paper) + FOOTER_SPACE + PADDING;
  const top = end - footerHeight(footer);
  // The footer is read once, behind all else.
  const footerTag = (index: number) => (index < pages.length - 1 ? 'Pagination' : paragraph());
  const behind: Page = status === 'draft' || status === 'void' ? [watermark(words[status], status, printing)] : [];
  const title = titleOf(printing);
  return pages.map((marks, index) => {
    const numbers = words.pageOf.replace('{page}', `${index + 1}`).replace('{pages}', `${pages.length}`);
    const number = typesetter.line(`${title}  ·  ${numbers}`, FOOTER);
    const room = Math.min(CONTENT_WIDTH / 2, CONTENT_WIDTH - NAME_GAP - number.width);
    const name = typesetter.shortened(invoice.seller.name, FOOTER, room);
    return [
      ...behind,
      ...(index === 0 ? foldMarks(printing) : []),
      ...marks,
      rule(top - PADDING, 0.5, HAIRLINE),
      ...tagged(footerTag(index), stacked(footer, LEFT, top)),
      ...tagged('Pagination', [textFromLeft(name, LEFT, end), textToRight(number, RIGHT, end)]),
    ];
  });
}
