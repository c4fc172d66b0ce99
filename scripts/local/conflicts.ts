import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './aws-answer.ts';
import { type Fields, fields, itemRequestsOf } from './dynamodb-needs.ts';
import type { TablePlan } from './plans/tables.ts';
import { ServiceError } from './service-error.ts';

/**
 * Makes transactions conflict, which the emulator runs one after the other. Until it is answered, a call holds the
 * items that it writes or checks in a transaction. A later call that wants one of them is refused, also a transaction of
 * reads, which itself holds nothing.
 */

const ONGOING = 'Transaction is ongoing for the item';

interface Holder {
  readonly isTransaction: boolean;
  /** `ClientRequestToken`: the same transaction, sent again. */
  readonly token?: unknown;
}

export class Conflicts {
  readonly #keys: ReadonlyMap<string, readonly string[]>;
  readonly #milliseconds: () => number;
  readonly #holders = new Map<string, Set<Holder>>();

  constructor(tables: readonly Pick<TablePlan, 'name' | 'KeySchema'>[], milliseconds = usualMilliseconds) {
    this.#milliseconds = milliseconds;
    this.#keys = new Map(tables.map(({ name, KeySchema }) => [name, KeySchema.map((part) => part.AttributeName)]));
  }

  async pass(operation: string, body: object, perform: () => Promise<Answer>): Promise<Answer> {
    const request = fields(body);
    const isTransaction = operation === 'TransactWriteItems';
    const items = READS.has(operation) ? [] : itemRequestsOf(operation, request);
    const ids = items.map((item) => this.#idOf(item.request));
    if (operation === 'TransactGetItems') {
      this.#admitTransaction(ids, { isTransaction: true });
      return perform();
    }
    const holder: Holder = { isTransaction, token: request.ClientRequestToken };
    if (isTransaction) this.#admitTransaction(ids, holder);
    else if (ids.some((id) => this.#isHeld(id, ({ isTransaction: byTransaction }) => byTransaction))) {
      throw new ServiceError('TransactionConflictException', ONGOING);
    }
    for (const id of ids) this.#holdersOf(id).add(holder);
    try {
      const [answer] = await Promise.all([perform(), isTransaction && sleep(this.#milliseconds())]);
      return answer;
    } finally {
      for (const id of ids) this.#release(id, holder);
    }
  }

  #admitTransaction(ids: readonly string[], { token }: Holder): void {
    const isAgain = (other: Holder) => other.isTransaction && token !== undefined && other.token === token;
    if (ids.some((id) => this.#isHeld(id, isAgain))) {
      throw new ServiceError('TransactionInProgressException', 'The transaction with the given token is in progress.');
    }
    const reasons = ids.map((id) =>
      this.#holders.has(id) ? { Code: 'TransactionConflict', Message: ONGOING } : { Code: 'None' },
    );
    const codes = reasons.map(({ Code }) => Code);
    if (codes.every((code) => code === 'None')) return;
    const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`;
    throw new ServiceError('TransactionCanceledException', message, 400, { CancellationReasons: reasons });
  }

  #isHeld(id: string, by: (holder: Holder) => boolean): boolean {
    return [...(this.#holders.get(id) ?? [])].some(by);
  }

  #holdersOf(id: string): Set<Holder> {
    const holders = this.#holders.get(id) ?? new Set();
    this.#holders.set(id, holders);
    return holders;
  }

  #release(id: string, holder: Holder): void {
    const holders = this.#holdersOf(id);
    holders.delete(holder);
    if (holders.size === 0) this.#holders.delete(id);
  }

  #idOf({ TableName, Key, Item }: Fields): string {
    const item = fields(Key ?? Item);
    return JSON.stringify([TableName, this.#keys.get(String(TableName))?.map((name) => item[name])]);
  }
}

/** Outside of a transaction nothing keeps them waiting. */
const READS = new Set(['GetItem', 'BatchGetItem']);

/** As long as on AWS. */
function usualMilliseconds(): number {
  return 5 + Math.random() * 15;
}
