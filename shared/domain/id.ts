export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const TIME_DIGITS = 12;

/** A UUID v7 begins with the milliseconds since the epoch. */
export function creationOf(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
  return new Date(milliseconds).toISOString();
}
