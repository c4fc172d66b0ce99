import * as v from 'valibot';
import { described } from '#shared/contract/meaning.ts';
import { exampleOrganization, organization } from '#shared/contract/organization/organization.ts';
import { resource } from '#shared/contract/tagged.ts';
import { ORGANIZATION_STATUSES } from '#shared/domain/organization/deletion.ts';

/** Organizations as the platform sees them that offers the service to them. */
export const status = described(
  v.picklist(ORGANIZATION_STATUSES),
  'Nobody acts for an organization that is `deleting`, and its name is free; it is gone once all that it has is removed.',
);

const { invoiceNumbering: _, creditNoteNumbering: __, ...entries } = organization.entries;

/** Without the numbers of its documents, which change with each of them. */
export const managed = { ...entries, status };

export const managedOrganization = resource(
  'ManagedOrganization',
  'An organization, and whether it is being deleted.',
  managed,
);

const { invoiceNumbering: ___, creditNoteNumbering: ____, ...example } = exampleOrganization;

export const exampleManaged = { ...example, status: 'active' } as const;
