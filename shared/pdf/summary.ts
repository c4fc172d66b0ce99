import { groupedIban } from '#shared/domain/bank-account.ts';
import { bankTextOf, type PaymentDetails, paymentDetailsOf } from '#shared/domain/invoices/payment-details.ts';
import { type Block, type Flow, LINES_TOGETHER, placeLines } from './flow.ts';
import { CONTENT_WIDTH, heightOf, LEFT } from './page.ts';
import { labelOf, type Printing } from './printing.ts';
import { BODY, ITEM } from './styles.ts';
import { heading, paragraph } from './tags.ts';
import { totalsOf } from './totals.ts';
import type { Line } from './typesetter/typesetter.ts';

/** The totals, and beside them the account, the reasons for no tax and the notes, as far as they are short. */
export interface Summary {
  readonly height: number;
  place(flow: Flow): void;
  /** The longer texts, which need the width of the page */
  readonly below: readonly Block[];
}

const GAP = 24;
const LEAST_WIDTH = 150;

/** Texts up to this height stand beside the totals even if these are lower. */
const USUAL_HEIGHT = 110;

export function summaryOf(printing: Printing): Summary {
  const totals = totalsOf(printing);
  const narrow = totals.left - GAP - LEFT;
  const hasRoom = narrow >= LEAST_WIDTH;
  const room = Math.max(totals.height, USUAL_HEIGHT);
  const beside: Block[] = [];
  const below: Block[] = [];
  let used = 0;
  for (const fitted of blocksOf(printing)) {
    const small = fitted(Math.max(narrow, LEAST_WIDTH));
    if (hasRoom && used + small.height <= room) {
      beside.push(small);
      used += small.height;
    } else {
      below.push(fitted(CONTENT_WIDTH));
    }
  }
  const height = Math.max(totals.height, used);
  return {
    height,
    place: (flow) => {
      flow.ensure(height);
      const placeTexts = () => {
        for (const block of beside) block.place(flow, 0);
      };
      flow.sideBySide([() => totals.place(flow), placeTexts]);
    },
    below,
  };
}

type Fitted = (width: number) => Block;

/** The account first: it is needed by whoever pays. */
function blocksOf(printing: Printing): Fitted[] {
  const { words, invoice } = printing;
  const reasons = new Set(invoice.taxes.flatMap(({ exemptionReason }) => exemptionReason ?? []));
  const texts = [
    { word: words.taxNote, text: [...reasons].join('\n') },
    { word: words.reason, text: invoice.corrects?.reason },
    { word: words.notes, text: invoice.notes },
  ];
  const ofTexts = texts.flatMap(({ word, text }): Fitted[] =>
    text ? [(width) => block(labelOf(printing, word), printing.typesetter.lines(text, BODY, width))] : [],
  );
  return [...accountOf(printing), ...ofTexts];
}

function accountOf(printing: Printing): Fitted[] {
  const { invoice, words, typesetter } = printing;
  const details = paymentDetailsOf(invoice);
  const text = bankTextOf(invoice);
  if (!details && !text) return [];
  return [
    (width) => {
      const lines = [
        ...(details ? detailLines(printing, details, width) : []),
        ...(text ? typesetter.lines(text, BODY, width) : []),
      ];
      return block(labelOf(printing, words.bankDetails), lines);
    },
  ];
}

function detailLines(
  { words, typesetter }: Printing,
  { accountName, iban, bic, reference }: PaymentDetails,
  width: number,
): Line[] {
  return [
    ...typesetter.lines(accountName, BODY, width),
    ...(iban ? typesetter.lines(`IBAN ${groupedIban(iban)}`, ITEM, width) : []),
    ...(bic ? typesetter.lines(`BIC ${bic}`, BODY, width) : []),
    ...typesetter.lines(`${words.reference} ${reference}`, BODY, width),
  ];
}

const SPACE_ABOVE = 8;

function block(label: Line, lines: readonly Line[]): Block {
  const start = heightOf([label, ...lines.slice(0, LINES_TOGETHER)]);
  return {
    height: SPACE_ABOVE + heightOf([label, ...lines]),
    place: (flow, heightAfter) => {
      flow.skip(SPACE_ABOVE);
      flow.ensure(lines.length > LINES_TOGETHER ? start : start + heightAfter);
      placeLines(flow, [label], LEFT, heading('H2'));
      placeLines(flow, lines, LEFT, paragraph(), heightAfter);
    },
  };
}
