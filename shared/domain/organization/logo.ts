import { createHash } from 'node:crypto';
import { isJpeg, readJpeg } from '#shared/domain/jpeg.ts';
import { badPicture, type PictureSize } from '#shared/domain/picture.ts';
import { isPng, readPng } from '#shared/domain/png.ts';

export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

type LogoType = (typeof LOGO_TYPES)[number];

export const MAX_LOGO_BYTES = 262_144;

export interface Logo extends PictureSize {
  readonly contentType: LogoType;
  /** SHA-256 of its bytes, by which documents name it. */
  readonly hash: string;
}

export const logoTypeOf = (bytes: Uint8Array): LogoType => (isPng(bytes) ? 'image/png' : 'image/jpeg');

/** @throws Problem `validation_failed` for whatever is no picture of this type that can be drawn */
export function logoOf(bytes: Uint8Array, contentType: string): Logo {
  const isOfItsType = contentType === 'image/png' ? isPng(bytes) : isJpeg(bytes);
  if (!isOfItsType) throw badPicture(`Expected a picture of the type ${contentType}, as its Content-Type says.`);
  const { width, height } = isPng(bytes) ? readPng(bytes) : readJpeg(bytes);
  assertNoScript(bytes);
  return { contentType: logoTypeOf(bytes), width, height, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** A picture that is a page, too, would be one to a browser that does not believe its type. */
const SCRIPT = /<(?:script|html|svg|!doctype)|<\?php|javascript:/i;

function assertNoScript(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (SCRIPT.test(text)) throw badPicture('Expected a picture without a script or a page in what is said about it.');
}
