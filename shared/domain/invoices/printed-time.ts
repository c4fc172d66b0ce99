import type { Locale } from '#shared/domain/locale.ts';
import { parseMinor, workAmountMinor } from '#shared/domain/money.ts';
import { type IsoDate, isDate, minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import type { LineItem } from './invoice.ts';
import { dateWriter, writtenDates } from './written-dates.ts';

export function billsTime({ entryIds }: Pick<LineItem, 'entryIds'>): boolean {
  return entryIds.length > 0;
}

/** How many rounded amounts a line is the sum of, if its hours times its price are not its amount; else none. */
export function roundedEntriesOf({ entryIds, quantity, price, amount }: LineItem, currency: string): number {
  const exactMinor = workAmountMinor(minutesOfQuantity(quantity), price, currency);
  return exactMinor === parseMinor(amount) ? 0 : entryIds.length;
}

const MINUTES_PER_HOUR = 60;

/** `"1.516667"` is `1:31`. */
export function clockHours(hours: string): string {
  return clockTime(minutesOfQuantity(hours));
}

/** 91 is `1:31`, and -7 is `-0:07`. */
export function clockTime(minutes: number): string {
  if (minutes < 0) return `-${clockTime(-minutes)}`;
  return `${Math.floor(minutes / MINUTES_PER_HOUR)}:${String(minutes % MINUTES_PER_HOUR).padStart(2, '0')}`;
}

export interface DatedText {
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** Empty if the dates are all. */
  readonly text: string;
}

/** `2026-11-20`, `2026-11-02 to 2026-11-20` or `2026-11-20: Design`, as `tracked-time.ts` describes its lines. */
const DATED = /^(\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d)|: (.*))?$/s;

export function datedText(description: string): DatedText | null {
  const [, from = '', to = from, text = ''] = DATED.exec(description) ?? [];
  return isDate(from) && isDate(to) ? { from, to, text } : null;
}

/** What a document says about how it is written. */
export interface Written {
  readonly locale: Locale | null;
  readonly seller: { readonly countryCode: string | null };
}

export type LineTexts = Pick<LineItem, 'name' | 'description'>;

/**
 * Gives lines their texts in a document. Those that the product made for tracked time are put in its language, so that
 * its page and its file say the same.
 */
export function lineTextsIn({ locale, seller }: Written): (line: LineItem) => LineTexts {
  const language = locale ?? 'en';
  const write = dateWriter(language, seller.countryCode);
  const written = (text: string) => {
    const dated = datedText(text);
    if (!dated) return text;
    const dates = writtenDates(dated.from, dated.to, write);
    return dated.text === '' ? dates : `${dates} · ${dated.text}`;
  };
  return (line) => {
    const { name, description, workedMinutes } = line;
    if (!billsTime(line)) return { name, description };
    const isNameless = name === TRACKED_TIME.en;
    const worked = workedMinutes === null ? '' : WORKED_TIME[language](clockTime(workedMinutes));
    const details = [written(description), worked].filter((text) => text !== '');
    return { name: isNameless ? TRACKED_TIME[language] : written(name), description: details.join('\n') };
  };
}

/** In English, `tracked-time.ts` names its lines so. */
const TRACKED_TIME: Readonly<Record<Locale, string>> = {
  en: 'Tracked time',
  de: 'Arbeitszeit',
  fr: 'Temps de travail',
  es: 'Tiempo trabajado',
  it: 'Tempo registrato',
  nl: 'Gewerkte tijd',
  pt: 'Tempo trabalhado',
  pl: 'Czas pracy',
  sv: 'Arbetad tid',
  da: 'Arbejdstid',
  ja: '作業時間',
};

/** What rounding bills is the quantity of the line. */
const WORKED_TIME: Readonly<Record<Locale, (clock: string) => string>> = {
  en: (clock) => `Time worked: ${clock}`,
  de: (clock) => `Tatsächliche Arbeitszeit: ${clock}`,
  fr: (clock) => `Temps réellement travaillé : ${clock}`,
  es: (clock) => `Tiempo realmente trabajado: ${clock}`,
  it: (clock) => `Tempo effettivamente lavorato: ${clock}`,
  nl: (clock) => `Werkelijk gewerkte tijd: ${clock}`,
  pt: (clock) => `Tempo efetivamente trabalhado: ${clock}`,
  pl: (clock) => `Rzeczywisty czas pracy: ${clock}`,
  sv: (clock) => `Faktiskt arbetad tid: ${clock}`,
  da: (clock) => `Faktisk arbejdstid: ${clock}`,
  ja: (clock) => `実作業時間：${clock}`,
};
