import { describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

describe('GET /v1/work/tracker/projects/{id}', () => {
  describe('the totals', () => {
    const totalsOf = async (by: User, { id }: Json) => {
      const { body } = await by.get(`/v1/work/tracker/projects/${id}`);
      const { totalMinutes, billableMinutes, totalAmount, amountsByCurrency } = body.data;
      return { totalMinutes, billableMinutes, totalAmount, amountsByCurrency };
    };

    it('count all minutes, and of billable entries the minutes and the amounts, currency by currency', async () => {
      const ana = await given.user();
      const project = await given.project(ana, { rate: 100 });
      const book = (values: object) => given.entry(ana, { projectId: project.id, ...values });
      await book({ durationMinutes: 50 });
      await book({ durationMinutes: 20, billable: false });
      await book({ durationMinutes: 60, currency: 'JPY', rate: 1_000.5 });
      await book({ durationMinutes: 30, currency: 'BHD', rate: 0.001 });
      expect(await totalsOf(ana, project)).toEqual({
        totalMinutes: 160,
        billableMinutes: 140,
        totalAmount: 83.33,
        amountsByCurrency: [
          { currency: 'BHD', amount: '0.001' },
          { currency: 'JPY', amount: '1001' },
          { currency: 'USD', amount: '83.33' },
        ],
      });
    });

    it("name the amount in the project's present currency", async () => {
      const ana = await given.user();
      const project = await given.project(ana);
      await given.entry(ana, { projectId: project.id, rate: 10 });
      await given.entry(ana, { projectId: project.id, rate: 7, currency: 'EUR' });
      const before = await totalsOf(ana, project);
      expect(before.totalAmount).toBe(10);
      await ana.patch(`/v1/work/tracker/projects/${project.id}`, { currency: 'EUR', rate: 99 });
      expect(await totalsOf(ana, project)).toEqual({ ...before, totalAmount: 7 });
    });
  });
});
