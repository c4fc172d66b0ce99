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
  const [first = null] = lines.flatMap(({ serviceFrom }) => serviceFrom ?? []).sort();
  const last = lines
    .flatMap(({ serviceTo }) => serviceTo ?? [])
    .sort()
    .at(-1);
  const dates = { serviceFrom: given.serviceFrom ?? first, serviceTo: given.serviceTo ?? last ?? null };
  assertServiceDates(dates);
  return dates;
}
