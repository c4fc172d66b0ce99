import { Register, type Value } from './register.ts';
import type { Kind } from './vocabulary.ts';

/** Something that an answer has shown, or may have made. */
export interface Thing {
  readonly kind: Kind;
  /** Its text; of a row, whether it is there. */
  readonly register: Register;
  /** Known from the first answer on that shows it. */
  id?: string;
}

export const THERE = 'there';

/** A row has what its last import or its last change says. */
export const stateOf = ({ kind }: Thing, text: string): Value => (kind === 'row' ? THERE : text);

export interface Invoice {
  readonly status: Register;
  /** As JSON. */
  readonly lines: Register;
  /** By their reference. */
  readonly payments: Map<string, Register>;
  /** Whether a payment may ever have been recorded. */
  mayHavePayments: boolean;
  /** As the last answer showed it. */
  entryIds: readonly string[];
  isOver: boolean;
  id?: string;
}

export const newInvoice = (): Invoice => ({
  status: new Register(),
  lines: new Register(),
  payments: new Map(),
  mayHavePayments: false,
  entryIds: [],
  isOver: false,
});

interface Session {
  readonly register: Register;
  readonly userId: string;
  id?: string;
}

/** The books of those who work at once, by texts that are unique: what answers have told, and nothing else. */
export class Records {
  /** By the texts that they were made with. */
  readonly things = new Map<string, Thing>();
  /** By their descriptions. */
  readonly sessions = new Map<string, Session>();
  /** By their notes. */
  readonly invoices = new Map<string, Invoice>();
  /** By their ids: how many entries an undo of them has kept, as far as it was told. */
  readonly jobs = new Map<string, number | undefined>();

  /** Things that may be asked for. */
  found(...kinds: readonly Kind[]): (readonly [text: string, thing: Thing, id: string])[] {
    return [...this.things].flatMap(([text, thing]) =>
      kinds.includes(thing.kind) && thing.id !== undefined ? [[text, thing, thing.id] as const] : [],
    );
  }

  *registers(): Generator<readonly [name: string, register: Register]> {
    for (const [text, { kind, register }] of this.things) yield [`${kind} ${text}`, register];
    for (const [text, { register }] of this.sessions) yield [`session ${text}`, register];
    for (const [notes, { status, payments }] of this.invoices) {
      yield [`invoice ${notes}`, status];
      for (const [reference, payment] of payments) yield [`payment ${reference}`, payment];
    }
  }
}
