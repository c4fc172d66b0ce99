import * as v from 'valibot';

const plannedRow = v.object({
  entryId: v.string(),
  content: v.string(),
  externalId: v.nullable(v.string()),
  date: v.string(),
  durationMinutes: v.number(),
  billedMinutes: v.optional(v.number()),
  description: v.string(),
  client: v.nullable(v.string()),
  user: v.nullable(v.string()),
  billable: v.boolean(),
  rate: v.nullable(v.string()),
  currency: v.string(),
  clientId: v.nullable(v.string()),
  projectId: v.nullable(v.string()),
  userId: v.nullable(v.string()),
  tags: v.optional(v.array(v.string()), []),
  userRates: v.optional(v.array(v.object({ userId: v.string(), rate: v.string() }))),
  heldBackAt: v.optional(v.string()),
});

export const importMessage = v.object({
  organizationId: v.string(),
  jobId: v.string(),
  units: v.array(v.object({ number: v.number(), rows: v.array(plannedRow) })),
});
