import { PDFDocument } from 'pdfkit';
import { toBytes } from 'pdfkit/output';
import { RIGHT_TO_LEFT_FEATURES } from './face.ts';
import { type Mark, PAGE_HEIGHT, PAGE_WIDTH, type Page } from './page.ts';
import type { Line, Piece, TextStyle } from './typesetter.ts';

export interface DocumentFacts {
  readonly title: string;
  readonly author: string;
  /** Also determines the file's id, so the same document gives the same bytes */
  readonly createdAt: Date;
}

export async function paint(pages: readonly Page[], { title, author, createdAt }: DocumentFacts): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    font: null,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, Creator: 'Billwright', Producer: 'Billwright', CreationDate: createdAt },
  });
  const bytes = toBytes(document);
  const drawPiece = pieceDrawer(document);
  for (const marks of pages) {
    document.addPage();
    for (const mark of marks) draw(document, mark, drawPiece);
  }
  document.end();
  return bytes;
}

type DrawPiece = (piece: Piece, style: TextStyle, x: number, baseline: number) => void;

function draw(document: PDFDocument, mark: Mark, drawPiece: DrawPiece): void {
  switch (mark.kind) {
    case 'text':
      drawLine(mark.line, mark.x, mark.baseline, drawPiece);
      break;
    case 'rule':
      document.rect(mark.x, mark.y, mark.width, mark.thickness).fill(mark.colour);
      break;
    case 'badge':
      document.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.height / 2).fill(mark.colour);
      break;
    case 'watermark':
      drawWatermark(document, mark.line, drawPiece);
  }
}

function drawLine({ pieces, style }: Line, x: number, baseline: number, drawPiece: DrawPiece): void {
  for (const piece of pieces) drawPiece(piece, style, x + piece.x, baseline);
}

function drawWatermark(document: PDFDocument, line: Line, drawPiece: DrawPiece): void {
  const centre = [PAGE_WIDTH / 2, PAGE_HEIGHT / 2] as const;
  document.save().rotate(-45, { origin: centre });
  drawLine(line, centre[0] - line.width / 2, centre[1] + 0.36 * line.style.sizePoints, drawPiece);
  document.restore();
}

/** Width of the outline that makes a regular letter look bold, in ems. */
const EMBOLDENING = 0.028;

function pieceDrawer(document: PDFDocument): DrawPiece {
  const registered = new Set<string>();
  return ({ text, face, emboldened, direction }, style, x, baseline) => {
    if (!registered.has(face.name)) document.registerFont(face.name, face.pdfFont);
    registered.add(face.name);
    document.font(face.name).fontSize(style.sizePoints).fillColor(style.colour);
    if (emboldened) document.lineWidth(EMBOLDENING * style.sizePoints).strokeColor(style.colour);
    document.text(text, x, baseline, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...(style.trackingPoints && { characterSpacing: style.trackingPoints }),
      ...(direction === 'rtl' && { features: RIGHT_TO_LEFT_FEATURES }),
      ...(emboldened && { fill: true, stroke: true }),
    });
  };
}
