import { type Block, type Flow, LINES_TOGETHER, placeLines } from './flow.ts';
import { CONTENT_WIDTH, heightOf, LEFT } from './page.ts';
import { labelOf, type Printing } from './printing.ts';
import { BODY } from './styles.ts';
import { heading, paragraph } from './tags.ts';
import { totalsOf } from './totals.ts';

/** The totals, and beside them the bank details and the notes if these are short. */
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
  const { words, invoice } = printing;
  const totals = totalsOf(printing);
  const width = totals.left - GAP - LEFT;
  const room = width < LEAST_WIDTH ? 0 : Math.max(totals.height, USUAL_HEIGHT);
  const texts = [
    { word: words.bankDetails, text: invoice.seller.bankDetails },
    { word: words.notes, text: invoice.notes },
  ];
  const beside: Block[] = [];
  const below: Block[] = [];
  let used = 0;
  for (const { word, text } of texts) {
    if (!text) continue;
    const narrow = textBlock(printing, word, text, Math.max(width, LEAST_WIDTH));
    if (used + narrow.height > room) {
      below.push(textBlock(printing, word, text, CONTENT_WIDTH));
    } else {
      beside.push(narrow);
      used += narrow.height;
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

const SPACE_ABOVE = 8;

function textBlock(printing: Printing, word: string, text: string, width: number): Block {
  const label = labelOf(printing, word);
  const lines = printing.typesetter.lines(text, BODY, width);
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
