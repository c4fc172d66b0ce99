import { readDirectory } from '#shared/data/directory/directory.ts';
import { readConfidentMappings } from '#shared/data/remote/confident-mappings.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { rehearsal, tooLargeRehearsal } from '#shared/domain/remote/preview.ts';
import { type ImportRequest, validRows } from './start-import.ts';

/** Says what the import would do, and writes nothing. @throws Problem `invalid_import`, `validation_failed` */
export async function rehearseImport(request: ImportRequest) {
  const { organizationId, accountId, mappings } = request;
  const rows = await validRows(request);
  const ids = rows.map(({ entryId }) => entryId);
  const directory = readDirectory(organizationId);
  const [entries, confident, { lockedThrough }] = await Promise.all([
    readEntries(organizationId, ids, new ReadBound(tooLargeRehearsal)),
    readConfidentMappings(organizationId, accountId, rows, directory, mappings),
    directory,
  ]);
  const stored = new Map(entries.map((entry) => [entry.id, entry]));
  return rehearsal(rows, { stored, mappings: confident, lockedThrough });
}
