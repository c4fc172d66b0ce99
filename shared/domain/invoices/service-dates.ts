import { assertInOrder } from '#shared/domain/date-range.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';

/** The first and the last day of what is billed, inclusive. */
export interface ServiceDates {
  readonly serviceFrom: IsoDate | null;
  readonly serviceTo: IsoDate | null;
}

/** @param path of the object with the dates; none for the request itself @throws Problem `invalid_date_range` */
export function assertServiceDates({ serviceFrom, serviceTo }: ServiceDates, path?: string): void {
  assertInOrder(path ? `${path}.service` : 'service', serviceFrom ?? undefined, serviceTo ?? undefined);
}

/** Each date is the one given for the invoice, else the earliest or the latest of its lines. */
export function serviceDatesOf(given: ServiceDates, lines: readonly ServiceDates[]): ServiceDates {
  const { serviceFrom, serviceTo } = datesOfLines(lines);
  const dates = { serviceFrom: given.serviceFrom ?? serviceFrom, serviceTo: given.serviceTo ?? serviceTo };
  assertServiceDates(dates);
  return dates;
}

/**
 * Those of the credited lines, since a credit may be of a part of what the invoice bills. Those of the invoice where no
 * line has any, or their earliest day is after their latest one.
 */
export function creditedDatesOf(invoice: ServiceDates, lines: readonly ServiceDates[]): ServiceDates {
  const { serviceFrom, serviceTo } = datesOfLines(lines);
  const isNone = serviceFrom === null && serviceTo === null;
  const isUpsideDown = serviceFrom !== null && serviceTo !== null && serviceFrom > serviceTo;
  if (!isNone && !isUpsideDown) return { serviceFrom, serviceTo };
  return { serviceFrom: invoice.serviceFrom, serviceTo: invoice.serviceTo };
}

function datesOfLines(lines: readonly ServiceDates[]): ServiceDates {
  const starts = lines.flatMap(({ serviceFrom }) => serviceFrom ?? []).sort();
  const ends = lines.flatMap(({ serviceTo }) => serviceTo ?? []).sort();
  return { serviceFrom: starts[0] ?? null, serviceTo: ends.at(-1) ?? null };
}
