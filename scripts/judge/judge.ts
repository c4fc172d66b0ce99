import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import { compiledRules, type RuleSet } from './rules.ts';
import { schemaFaults } from './schemas.ts';

/** A rule that refuses a document. Warnings are none. */
export interface Fatal {
  /** As its authors name it, or `XML` and `XSD` for what is no document of the syntax at all. */
  readonly rule: string;
  readonly text: string;
}

const RULE_SETS: Readonly<Record<EInvoiceFormat, readonly RuleSet[]>> = {
  'en16931-cii': ['cen-cii'],
  'en16931-ubl': ['cen-ubl'],
  'xrechnung-cii': ['cen-cii', 'xrechnung-cii'],
  'xrechnung-ubl': ['cen-ubl', 'xrechnung-ubl'],
  'peppol-bis': ['cen-ubl', 'peppol-cen', 'peppol'],
};

/** The part of SaxonJS that runs here. */
interface Saxon {
  transform(
    options: { readonly stylesheetInternal: object; readonly sourceText: string; readonly destination: 'document' },
    mode: 'sync',
  ): { readonly principalResult: object };
  readonly XPath: { readonly evaluate: (path: string, context: object) => readonly Fatal[] };
}

const FATALS =
  "array{//*:failed-assert[not(@flag = ('warning', 'information'))] ! map{'rule': string(@id), 'text': normalize-space(*:text)}}";

/** XPath's code of a document that cannot be read. */
const NOT_WELL_FORMED = 'FODC0002';

export class Judge {
  readonly #folder: string;
  readonly #saxon: Saxon;
  readonly #programs = new Map<RuleSet, object>();

  /** @param folder of the rules */
  constructor(folder: string) {
    this.#folder = folder;
    this.#saxon = createRequire(join(folder, 'package.json'))('saxon-js');
  }

  /** @returns what refuses each document */
  async judge(format: EInvoiceFormat, documents: readonly string[]): Promise<Fatal[][]> {
    const programs = RULE_SETS[format].map((name) => this.#program(name));
    const trials = documents.map((xml) => ({ xml, fatals: this.#broken(programs, xml) }));
    const wellFormed = trials.filter(({ fatals }) => fatals.every(({ rule }) => rule !== 'XML'));
    const faults = await schemaFaults(
      this.#folder,
      wellFormed.map(({ xml }) => xml),
    );
    for (const [position, { fatals }] of wellFormed.entries()) {
      fatals.push(...(faults[position] ?? []).map((text) => ({ rule: 'XSD', text })));
    }
    return trials.map(({ fatals }) => fatals);
  }

  #broken(programs: readonly object[], sourceText: string): Fatal[] {
    try {
      return programs.flatMap((stylesheetInternal) => {
        const options = { stylesheetInternal, sourceText, destination: 'document' } as const;
        return [...this.#saxon.XPath.evaluate(FATALS, this.#saxon.transform(options, 'sync').principalResult)];
      });
    } catch (error) {
      const text = String(error);
      if (!text.includes(NOT_WELL_FORMED)) throw error;
      return [{ rule: 'XML', text }];
    }
  }

  #program(name: RuleSet): object {
    const program = this.#programs.get(name) ?? compiledRules(this.#folder, name);
    this.#programs.set(name, program);
    return program;
  }
}
