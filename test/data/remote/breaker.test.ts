import { expect, it } from 'vitest';
import { noteProviderAnswer } from '#shared/data/remote/breaker.ts';
import { CLOSED } from '#shared/domain/remote/breaker.ts';
import { costOf } from '#test/support/capacity.ts';

it('an answer of the provider costs no write as long as nothing has failed', async () => {
  expect((await costOf(() => noteProviderAnswer(CLOSED))).calls).toBe(0);
});
