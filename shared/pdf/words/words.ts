import { isAmerican, type Locale } from '#shared/domain/locale.ts';
import type { TaxCategory } from '#shared/domain/tax.ts';
import da from './da.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };

/** `hours` is the unit of a time such as 1:31, and `on` stands between a tax and the amount that is taxed. */
export type Words = Readonly<typeof en.words>;

/** The words for one unit by the plural category of the quantity; without one of a category, `other` holds. */
export type UnitWords = Readonly<Record<string, string>>;

interface Language {
  readonly words: Words;
  /** They tell apart taxes of one rate, which only categories without a tax can share. */
  readonly taxCategories: Readonly<Record<Exclude<TaxCategory, 'standard'>, string>>;
  /** What `Intl` has no word for; and the Swedish day of work, as its `dygn` is a day and a night. */
  readonly units: Readonly<Record<string, UnitWords>>;
}

export const LANGUAGES: Readonly<Record<Locale, Language>> = { en, de, fr, es, it, nl, pt, pl, sv, da, ja };

/** @param sellerCountry decides which English it is */
export function wordsOf(locale: Locale, sellerCountry: string | null = null): Words {
  const { words } = LANGUAGES[locale];
  return isAmerican(locale, sellerCountry) ? { ...words, taxNumber: 'Tax ID' } : words;
}
