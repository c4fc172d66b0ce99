import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { entry, periodLocked } from '#shared/contract/tracker/entry.ts';

export const deleteEntry = defineEndpoint({
  operationId: 'deleteEntry',
  method: 'DELETE',
  path: '/v1/work/tracker/entries/{id}',
  of: entry,
  area: 'tracker',
  summary: 'Delete a work entry for good',
  description:
    'An invoiced entry cannot be deleted, and none in the closed period. While a request is putting it on an invoice, the problem is `invoicing_in_progress` with `Retry-After`.',
  scope: 'tracker:write',
  members: 'own',
  events: ['entry.deleted'],
  response: { kind: 'deletion' },
  problems: ['entry_invoiced', 'invoicing_in_progress', 'not_yours', 'period_locked'],
  problemMembers: periodLocked,
  example: {},
});
