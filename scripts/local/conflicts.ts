import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './aws-answer.ts';
import { fields } from './dynamodb-needs.ts';
import { type ItemRequest, transactionItemsOf, writesOf } from './item-requests.ts';
import type { TablePlan } from './plans/tables.ts';
import { ServiceError } from './service-error.ts';

/**
 * Makes transactions conflict, as they do on AWS; the emulator runs them one after the other. A transaction holds
 * its items until it is answered, also the items that it only checks. A single write holds its item. A later call
 * that wants a held item is refused. On AWS a transaction takes milliseconds. Here it takes at least as long as the
 * time that is drawn for it.
 */

const ONGOING = 'Transaction is ongoing for the item';

interface Holder {
  readonly isTransaction: boolean;
  /** `ClientRequestToken`: the same transaction, sent again. */
  readonly token?: unknown;
}

export class Conflicts {
  /** By table: the names of its key attributes. */
  readonly #keys: ReadonlyMap<string, readonly string[]>;
  readonly #milliseconds: () => number;
  readonly #holders = new Map<string, Set<Holder>>();

  constructor(tables: readonly TablePlan[], milliseconds = usualMilliseconds) {
    this.#milliseconds = milliseconds;
    this.#keys = new Map(tables.map(({ name, KeySchema }) => [name, KeySchema.map((part) => part.AttributeName)]));
  }

  /** @throws ServiceError if the call conflicts with a call that is under way */
  async pass(operation: string, body: object, perform: () => Promise<Answer>): Promise<Answer> {
    const request = fields(body);
    const isTransaction = operation === 'TransactWriteItems';
    const items = isTransaction ? transactionItemsOf(request) : writesOf(operation, request);
    const ids = items.map((item) => this.#idOf(item));
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

  #idOf({ tableName, request }: ItemRequest): string {
    const item = fields(request.Key ?? request.Item);
    return JSON.stringify([tableName, this.#keys.get(tableName)?.map((name) => item[name])]);
  }
}

/** As long as on AWS. */
function usualMilliseconds(): number {
  return 5 + Math.random() * 15;
}
