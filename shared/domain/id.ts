/** How many hexadecimal digits of a UUID v7 hold the milliseconds since the epoch. */
const TIME_DIGITS = 12;

/** When a UUID v7 was made, in ISO 8601. */
export function creationOf(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
  return new Date(milliseconds).toISOString();
}
