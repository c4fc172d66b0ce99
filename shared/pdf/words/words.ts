import type { Locale } from '#shared/domain/locale.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { sv } from './sv.ts';

const TABLE: Readonly<Record<Locale, Words>> = { en, de, fr, es, it, nl, pt, pl, sv, da, ja };

export function wordsOf(locale: Locale): Words {
  return TABLE[locale];
}
