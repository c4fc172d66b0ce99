import { PDFDocument, type StructureElement } from 'pdfkit';
import { toBytes } from 'pdfkit/output';
import { memoized } from '#shared/runtime/memoized.ts';
import { makeFacturX } from './factur-x.ts';
import { baselineOf, type Mark, type Page, type PictureMark } from './page.ts';
import type { Paper } from './paper.ts';
import { PDF_UA_CLAIM } from './pdf-ua.ts';
import type { Artifact, Figure, Tag } from './tags.ts';
import {
  type Line,
  lineWriter,
  packObjects,
  shapeOperators,
  type WriteLine,
  withWordBreak,
} from './typesetter/typesetter.ts';

export interface DocumentFacts {
  readonly paper: Paper;
  readonly title: string;
  readonly author: string;
  /** BCP 47 */
  readonly language: string;
  /** Also determines the file's id: a clock would change the bytes of an unchanged invoice */
  readonly createdAt: Date;
  readonly facturX: string | undefined;
}

/** The pages as a PDF/UA-1 document: marks with a tag are in the structure tree, all others are artifacts. */
export async function paint(pages: readonly Page[], facts: DocumentFacts): Promise<Uint8Array<ArrayBuffer>> {
  const { paper, facturX } = facts;
  const document = new PDFDocument({
    size: [paper.width, paper.height],
    margin: 0,
    font: null,
    autoFirstPage: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: facts.language,
    displayTitle: true,
    info: {
      Title: new MetadataText(facts.title),
      Author: new MetadataText(facts.author),
      Creator: 'Billwright',
      Producer: 'Billwright',
      CreationDate: facts.createdAt,
    },
  });
  document.appendXML(PDF_UA_CLAIM);
  const bytes = toBytes(document);
  const write = lineWriter(document);
  const writeLine: WriteLine =
    facturX === undefined ? write : (line, x, baseline) => write(withWordBreak(line), x, baseline);
  const { margin } = paper;
  const marking = markingOf(document, margin);
  for (const marks of pages) {
    document.addPage().translate(margin, 0);
    for (const mark of marks) {
      marking.begin(mark);
      draw(document, mark, paper, writeLine);
      marking.addLink(mark);
    }
    marking.end();
  }
  if (facturX !== undefined) makeFacturX(document, facturX, facts.createdAt);
  document.end();
  return packObjects(await bytes);
}

/** pdfkit writes the value into a PDF string, and `toString()` into XML, where it has to be escaped. */
class MetadataText extends String {
  override toString(): string {
    return this.valueOf().replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
  }

  /** By it, pdfkit decides whether the PDF string is Unicode. The inherited method reads `toString()`. */
  override charCodeAt(index: number): number {
    return this.valueOf().charCodeAt(index);
  }
}

interface Marking {
  /** Everything drawn from here on belongs to the tag of the mark. */
  begin(mark: Mark): void;
  /** Lets a click on the mark lead where its tag says, if it does, and ends the tag then. */
  addLink(mark: Mark): void;
  end(): void;
}

/** Neighbouring marks of one tag are one piece of content. */
function markingOf(document: PDFDocument, margin: number): Marking {
  const elementOf = structureOf(document, margin);
  let current: Tag | Artifact | null = null;
  const end = () => {
    if (current) document.endMarkedContent();
    current = null;
  };
  return {
    begin: (mark) => {
      const { tag = 'Layout' } = mark;
      if (tag === current) return;
      end();
      if (typeof tag === 'string') {
        document.markContent('Artifact', { type: tag });
      } else {
        const element = elementOf(tag);
        // A cell without text becomes an element without content, so that each row has all cells.
        if (mark.kind === 'text' && mark.line.pieces.length === 0) return;
        element.add(document.markStructureContent(tag.role));
      }
      current = tag;
    },
    addLink: (mark) => {
      if (mark.kind !== 'text' || typeof mark.tag !== 'object' || !mark.tag.link) return;
      const { line, x, baseline } = mark;
      const structParent = elementOf(mark.tag);
      const { url, meaning } = mark.tag.link;
      const top = baseline - baselineOf(line.style);
      document.link(x, top, line.width, line.style.leadingPoints, url, { structParent, Contents: Object(meaning) });
      // pdfkit takes the page that is open at its end for that of the link.
      structParent.end();
    },
    end,
  };
}

/** Adds the element of each tag to the tree when it is first asked for. */
function structureOf(document: PDFDocument, margin: number): (tag: Tag) => StructureElement {
  const root = document.struct('Document', {});
  document.addStructure(root);
  const elementOf = memoized((tag: Tag): StructureElement => {
    const parent = tag.parent ? elementOf(tag.parent) : root;
    const element = document.struct(tag.role, {
      scope: tag.scope,
      ...(tag.figure && illustration(tag.figure, margin)),
    });
    parent.add(element);
    return element;
  });
  return elementOf;
}

function illustration({ meaning, box: [left, top, right, bottom] }: Figure, margin: number) {
  return { alt: meaning, bbox: [left + margin, top, right + margin, bottom] } as const;
}

function draw(document: PDFDocument, mark: Mark, paper: Paper, writeLine: WriteLine): void {
  switch (mark.kind) {
    case 'text':
      writeLine(mark.line, mark.x, mark.baseline);
      break;
    case 'rule':
      document.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.colour);
      break;
    case 'badge':
      document.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.height / 2).fill(mark.colour);
      break;
    case 'picture':
      drawPicture(document, mark);
      break;
    case 'watermark':
      drawWatermark(document, mark.line, paper);
  }
}

/** A page has one. Each of these matrices works on what those behind it have made. */
function drawPicture(document: PDFDocument, { picture, x, y }: PictureMark): void {
  const { width, height, turn } = picture;
  document.page.xobjects.Picture = picture.embed(document);
  // pdfkit turns the page upside down.
  const place = [width, 0, 0, -height, x, y + height];
  document.addContent(`q ${place.map((length) => length.toFixed(3)).join(' ')} cm ${turn.join(' ')} cm /Picture Do Q`);
}

function drawWatermark(document: PDFDocument, line: Line, { width, height, margin }: Paper): void {
  const centre = [width / 2 - margin, height / 2] as const;
  document.save().rotate(-45, { origin: centre });
  const baseline = centre[1] + 0.36 * line.style.sizePoints;
  document.addContent(shapeOperators(line, centre[0] - line.width / 2, baseline));
  document.restore();
}
