import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientNameOrder, invoiceOrders } from '#shared/data/layout/keys.ts';

const orders = ({ total }: { readonly total: string }) =>
  invoiceOrders({
    ...{ organizationId: 'acme', id: 'id', issueDate: '2026-11-20', dueDate: null, numberPlace: null },
    ...{ number: null, total },
  });

const orderOf = <Value>(one: Value, other: Value) => (one === other ? 0 : one < other ? -1 : 1);

it('totals are in the order of what they are, whatever their currencies', () => {
  const thousandths = fc.oneof(fc.bigInt(0n, 10n ** 6n), fc.bigInt(0n, 10n ** 35n - 1n));
  const digits = fc.integer({ min: 0, max: 3 });
  /** With as many digits as say it, or as the currency has. */
  const totalOf = (amount: bigint, most: number) => {
    const text = String(amount).padStart(4, '0');
    const fraction = text.slice(-3).slice(0, most);
    return {
      value: BigInt(`${text.slice(0, -3)}${fraction.padEnd(3, '0')}`),
      total: `${text.slice(0, -3)}${fraction && '.'}${fraction}`,
    };
  };
  const total = fc.tuple(thousandths, digits).map(([amount, most]) => totalOf(amount, most));
  fc.assert(
    fc.property(total, total, (one, other) => {
      const [a, b] = [orders(one).byTotalSk, orders(other).byTotalSk];
      expect(orderOf(a, b)).toBe(orderOf(one.value, other.value));
    }),
  );
  for (const same of [
    ['7', '7.000'],
    ['1.5', '1.50', '1.500'],
  ]) {
    expect(new Set(same.map((each) => orders({ total: each }).byTotalSk)).size).toBe(1);
  }
});

it.each([
  ['x', 1_024],
  ['€', 1_024],
  ['🧮', 1_021],
])('names go by as many whole characters as a sort key of DynamoDB takes: of %s, %d bytes', (character, bytes) => {
  const name = character.repeat(1_000);
  const { nameSk } = clientNameOrder('acme', [name, name], '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b');
  expect(Buffer.byteLength(nameSk)).toBe(bytes);
});
