import { faulty, type Problem } from './problems.ts';

/** Upright, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const MAX_PICTURE_SIDE = 2_000;

/** @param message ends with a full stop */
export function badPicture(message: string): Problem {
  return faulty('validation_failed', [{ path: '', message, code: 'picture' }]);
}

/** Before anything is made of the pixels. */
export function assertSides({ width, height }: PictureSize): void {
  if ([width, height].every((side) => side >= 1 && side <= MAX_PICTURE_SIDE)) return;
  throw badPicture(`Expected a picture of 1 to ${MAX_PICTURE_SIDE} pixels a side, not ${width} by ${height}.`);
}
