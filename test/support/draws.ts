/** How many cases a test draws: in `npm test` few, and in `npm run search -- properties` so many times as many. */
export function draws(few: number): number {
  return few * Number(process.env.DRAWS ?? 1);
}
