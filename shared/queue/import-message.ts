import * as v from 'valibot';
import { nullableTexts, texts } from '#shared/data/table/members.ts';

const plannedRow = v.object({
  ...texts('entryId', 'content', 'date', 'description', 'currency'),
  ...nullableTexts('externalId', 'client', 'user', 'rate', 'clientId', 'projectId', 'userId'),
  durationMinutes: v.number(),
  billedMinutes: v.optional(v.number()),
  billable: v.boolean(),
  tags: v.optional(v.array(v.string()), []),
  userRates: v.optional(v.array(v.object({ userId: v.string(), rate: v.string() }))),
  heldBackAt: v.optional(v.string()),
});

export const importMessage = v.object({
  organizationId: v.string(),
  jobId: v.string(),
  units: v.array(v.object({ number: v.number(), rows: v.array(plannedRow) })),
});
