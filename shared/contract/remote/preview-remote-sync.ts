import * as v from 'valibot';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { count, date, uuid, workDate } from '#shared/contract/fields.ts';
import { component, described, nullableText } from '#shared/contract/meaning.ts';
import { exampleMappings, exampleRow, MEMORY_MEGABYTES } from '#shared/contract/remote/import.ts';
import { mapping, previewRow, visibility } from '#shared/contract/remote/rows.ts';
import { previewWeight } from '#shared/contract/weight.ts';
import { MAX_UNUSABLE_ENTRIES } from '#shared/domain/remote/preview.ts';
import { UNUSABLE_REASONS } from '#shared/domain/remote/unusable-entry.ts';

const previewBody = v.object({
  dateFrom: described(v.optional(workDate), 'The first day, inclusive; by default thirty days before `dateTo`.'),
  dateTo: described(v.optional(workDate), 'The last day, inclusive; by default today in the zone of the organization.'),
});

const missingEntry = component('MissingRemoteEntry', 'An imported entry that the provider does not show any more.', {
  workEntryId: described(uuid, 'The entry that was imported.'),
  externalId: described(v.string(), 'The id that it had at the provider.'),
  date: described(date, 'The day of the work.'),
  durationMinutes: described(count, 'Whole minutes of work.'),
  description: described(v.string(), 'The work done.'),
});

const unusableEntry = component('UnusableRemoteEntry', 'An entry at the provider that cannot be imported as it is.', {
  externalId: nullableText('The id of the entry at the provider; null: it has none.'),
  date: nullableText('The day of the work, as the provider says it; null: it says none.'),
  hours: described(v.nullable(v.number()), 'The hours of work; null: the provider says none.'),
  reason: described(
    v.picklist(UNUSABLE_REASONS),
    '`negative_duration`: less than no hours. `unknown_currency`: the client has a currency that is none of ISO 4217. `invalid`: anything else, such as a date that is none, or more than 525,600 minutes.',
  ),
});

const preview = component(
  'RemoteSyncPreview',
  'The entries at the provider in a range of dates, before anything is imported.',
  {
    provider: described(v.literal('remote_api'), 'The remote time tracker, as entries name it in `source`.'),
    dateRange: described(
      v.object({
        from: described(date, 'The first day, inclusive.'),
        to: described(date, 'The last day, inclusive.'),
      }),
      'The range that the provider was asked for.',
    ),
    visibility,
    totalEntries: described(count, 'All entries of the range, including skipped ones.'),
    newEntries: described(count, 'Rows that were not imported yet.'),
    duplicateEntries: described(count, 'Rows that were imported before, including changed ones.'),
    changedEntries: described(count, 'Rows that were imported before, and differ now.'),
    skippedEntries: described(
      count,
      'Entries that are left out: running timers, those without a duration, and unusable ones.',
    ),
    rows: described(v.array(previewRow), 'All rows, as a confirm takes them.'),
    clientMapping: described(mapping, 'The client that each name stands for beyond doubt, by id.'),
    projectMapping: described(mapping, 'The project that each name stands for beyond doubt, by id.'),
    userMapping: described(
      mapping,
      'The active user that each name stands for, by id: as it was confirmed before, else the one of an equal name. A scheduled sync books on none that was not confirmed.',
    ),
    unmappedClients: described(v.array(v.string()), 'Names of clients without a confident match.'),
    unmappedProjects: described(v.array(v.string()), 'Names of projects without a confident match.'),
    unmappedUsers: described(v.array(v.string()), 'Names of users without a confident match.'),
    missingEntries: described(
      v.array(missingEntry),
      'Entries imported from this account that it no longer shows in the range: they were deleted, moved out of it, or hidden from this credential. A report: nothing is deleted.',
    ),
    unusableEntries: described(
      v.pipe(v.array(unusableEntry), v.maxLength(MAX_UNUSABLE_ENTRIES)),
      `Entries that cannot be imported, the first ${MAX_UNUSABLE_ENTRIES} of them. A scheduled sync leaves them out, too.`,
    ),
  },
);

export const previewRemoteSync = defineEndpoint({
  operationId: 'previewRemoteSync',
  method: 'POST',
  path: '/v1/work/tracker/remote/sync/preview',
  area: 'remote',
  summary: 'Preview the entries at the provider',
  description: [
    'Fetches the entries of a range of dates, and marks those that were imported before. Names of clients, projects and users are mapped if they are equal but for case, space and punctuation, or if the mapping was confirmed before. Review the rows, and send them to confirm as they are.',
    'Nothing is written. A range is refused if the provider has more than 10,000 entries in it, if more than 20,000 were imported from it before or lie among more than 100 MB, or if the response exceeds 6 MB, where quotation marks and backslashes count at least twice: ask for a narrower one.',
    'An entry that cannot be imported, such as one with negative hours or in an unknown currency, is left out, and `unusableEntries` names it: correct it at the provider. Control characters, and those that turn the direction of writing, are left out of texts.',
  ].join('\n\n'),
  waitsForOthers: true,
  scope: 'tracker:remote',
  weight: previewWeight,
  body: previewBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: preview },
  problems: [
    'invalid_date_range',
    'not_found',
    'remote_credential_rejected',
    'remote_throttled',
    'remote_timed_out',
    'remote_unavailable',
    'too_many_remote_entries',
  ],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  memoryMegabytes: MEMORY_MEGABYTES,
  example: {
    body: { dateFrom: '2026-11-01', dateTo: '2026-11-30' },
    response: {
      provider: 'remote_api',
      dateRange: { from: '2026-11-01', to: '2026-11-30' },
      visibility: 'all',
      totalEntries: 2,
      newEntries: 1,
      duplicateEntries: 0,
      changedEntries: 0,
      skippedEntries: 1,
      rows: [{ ...exampleRow, status: 'new', heldBack: false, isLocked: false }],
      clientMapping: exampleMappings.clientMapping,
      projectMapping: {},
      userMapping: {},
      unmappedClients: [],
      unmappedProjects: ['Website'],
      unmappedUsers: ['Ada Byron'],
      missingEntries: [],
      unusableEntries: [],
    },
  },
});
