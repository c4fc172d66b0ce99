import { type Block, NO_BLOCK, placeLines } from './flow.ts';
import {
  BOTTOM,
  CONTENT_WIDTH,
  heightOf,
  LEFT,
  type Mark,
  type Page,
  RIGHT,
  rule,
  tagged,
  textFromLeft,
  textToRight,
} from './page.ts';
import { fitting, labelOf, type Printing, titleOf } from './printing.ts';
import { BODY, FOOTER, FOOTER_LABEL, HAIRLINE, WATERMARK_WIDTH, WATERMARKS } from './styles.ts';
import { group, heading, paragraph } from './tags.ts';
import type { Line } from './typesetter.ts';

const NOTES_WIDTH = 360;
const NOTES_SPACE = 14;

export function notesOf(printing: Printing): Block {
  const { invoice, words, typesetter } = printing;
  if (!invoice.notes) return NO_BLOCK;
  const label = labelOf(printing, words.notes);
  const lines = typesetter.lines(invoice.notes, BODY, NOTES_WIDTH);
  return {
    height: NOTES_SPACE + heightOf([label, ...lines]),
    place: (flow) => {
      flow.skip(NOTES_SPACE);
      flow.ensure(heightOf([label, ...lines.slice(0, 3)]));
      placeLines(flow, [label], LEFT, heading('H2'));
      placeLines(flow, lines, LEFT, paragraph());
    },
  };
}

const COLUMN_GAP = 18;
const SELLER_SPACE = 12;

interface Column {
  readonly x: number;
  readonly label: Line;
  readonly lines: readonly Line[];
}

export function sellerFooterOf(printing: Printing): Block {
  const columns = footerColumns(printing);
  if (columns.length === 0) return NO_BLOCK;
  const textHeight = Math.max(...columns.map(({ label, lines }) => heightOf([label, ...lines])));
  return {
    height: SELLER_SPACE + textHeight,
    place: (flow) => {
      flow.skip(SELLER_SPACE);
      flow.ensure(textHeight);
      flow.skip(Math.max(0, flow.room - textHeight));
      flow.sideBySide(
        columns.map(({ x, label, lines }) => () => {
          const tag = group();
          placeLines(flow, [label], x, paragraph(tag));
          placeLines(flow, lines, x, paragraph(tag));
        }),
      );
    },
  };
}

function footerColumns(printing: Printing): Column[] {
  const { invoice, words, figures, typesetter } = printing;
  const { name, legalName, email, phone, website, registrationNumber, bankDetails } = invoice.seller;
  const texts = [
    [words.bankDetails, bankDetails],
    [legalName ?? name, [email, phone, website].filter(Boolean).join('\n')],
    [words.registrationNumber, registrationNumber],
  ].flatMap(([word, text]) => (word && text ? [{ word, text }] : []));
  const width = (CONTENT_WIDTH + COLUMN_GAP) / texts.length - COLUMN_GAP;
  return texts.map(({ word, text }, index) => ({
    x: LEFT + index * (width + COLUMN_GAP),
    label: typesetter.shortened(figures.capitals(word), FOOTER_LABEL, width),
    lines: typesetter.lines(text, FOOTER, width),
  }));
}

const FOOTER_Y = BOTTOM + 20;

function watermark(word: string, status: keyof typeof WATERMARKS, { figures, typesetter }: Printing): Mark {
  return {
    kind: 'watermark',
    line: fitting(figures.capitals(word), WATERMARKS[status], WATERMARK_WIDTH, typesetter),
  };
}

export function withFooters(pages: readonly Page[], printing: Printing): Page[] {
  const { invoice, words, typesetter } = printing;
  const { status } = invoice;
  const behind: Page = status === 'draft' || status === 'void' ? [watermark(words[status], status, printing)] : [];
  const name = typesetter.shortened(invoice.seller.name, FOOTER, CONTENT_WIDTH / 2);
  const title = titleOf(printing);
  return pages.map((marks, index) => {
    const numbers = words.pageOf.replace('{page}', `${index + 1}`).replace('{pages}', `${pages.length}`);
    const number = typesetter.line(`${title}  ·  ${numbers}`, FOOTER);
    return [
      ...behind,
      ...marks,
      rule(FOOTER_Y, 0.5, HAIRLINE),
      ...tagged('Pagination', [textFromLeft(name, LEFT, FOOTER_Y + 6), textToRight(number, RIGHT, FOOTER_Y + 6)]),
    ];
  });
}
