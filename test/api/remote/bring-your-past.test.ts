import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { guides } from '#shared/openapi/guides.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** The program of the guide, on files as the makers of the trackers describe them. */

const guide = guides.find(({ title }) => title === 'Bring your past');
const program = guide?.steps.find((step) => step.program !== undefined)?.program ?? '';

function rowsOf(tracker: string, lines: readonly string[], lineEnd = '\n'): Json[] {
  const rowsBy = runInNewContext(`${program}\nrowsOf`);
  return JSON.parse(JSON.stringify(rowsBy(tracker, `\ufeff${lines.join(lineEnd)}${lineEnd}`)));
}

const TOGGL = [
  'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (USD)',
  'Ada Byron,ada@example.com,Acme,Website,,"Design, the ""first"" round",Yes,2026-03-02,09:00:00,2026-03-02,10:30:00,01:30:00,"design, web",120.00',
  'Ada Byron,ada@example.com,Acme,Website,Review,,No,2026-03-03,09:00:00,2026-03-03,09:00:10,00:00:10,,',
  'Ben Low,ben@example.com,,,,"Two',
  'lines",No,2026-03-03,11:00:00,2026-03-03,12:00:00,01:00:00,,',
  'Ben Low,ben@example.com,,,,Begun and stopped at once,No,2026-03-03,11:00:00,2026-03-03,11:00:00,00:00:00,,',
];

const CLOCKIFY = [
  '"Project","Client","Description","Task","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)","Billable Rate (USD)","Billable Amount (USD)","Date of creation"',
  '"Website","Acme","Design, first round","Review","Ada Byron","","ada@example.com","design, web","Yes","03/02/2026","09:00:00 AM","03/02/2026","10:30:00 AM","01:30:00","1.50","80.00","120.00","03/02/2026"',
  '"","","","","Ben Low","","ben@example.com","","No","12/31/2025","11:00:00 PM","01/01/2026","12:15:00 AM","01:15:00","1.25","0.00","0.00","12/31/2025"',
];

const KIMAI = [
  '"Date","From","To","Duration","Rate","User","Customer","Project","Activity","Description","Exported","Tags","Hourly rate","Fixed rate"',
  '"2026-03-02","09:00","10:30","5400","172.50","Ada Byron","Acme","Website","Testing","some work has been done","0","foo,bar","115.00","0"',
  '"2026-03-03","09:00","09:01","60","0","Ben Low","Acme","Website","Testing","","1","","0","0"',
];

const design = { date: '2026-03-02', durationMinutes: 90, user: 'Ada Byron', client: 'Acme', project: 'Website' };

describe('the program of the guide makes rows of a file', () => {
  it.each(['\n', '\r\n'])('of Toggl Track, with line ends %j', (lineEnd) => {
    expect(rowsOf('toggl', TOGGL, lineEnd)).toEqual([
      { ...design, description: 'Design, the "first" round', billable: true, tags: ['design', 'web'] },
      { ...design, date: '2026-03-03', durationMinutes: 1, description: '', billable: false, tags: ['Review'] },
      {
        ...{ date: '2026-03-03', durationMinutes: 60, user: 'Ben Low', client: '', project: '' },
        ...{ description: `Two${lineEnd}lines`, billable: false, tags: [] },
      },
    ]);
  });

  it('of Clockify', () => {
    expect(rowsOf('clockify', CLOCKIFY)).toEqual([
      { ...design, description: 'Design, first round', billable: true, tags: ['Review', 'design', 'web'] },
      {
        ...{ date: '2025-12-31', durationMinutes: 75, user: 'Ben Low', client: '', project: '' },
        ...{ description: '', billable: false, tags: [] },
      },
    ]);
  });

  it('of Kimai', () => {
    expect(rowsOf('kimai', KIMAI)).toEqual([
      { ...design, description: 'some work has been done', rate: 115, tags: ['Testing', 'foo', 'bar'] },
      {
        ...design,
        date: '2026-03-03',
        durationMinutes: 1,
        user: 'Ben Low',
        description: '',
        rate: null,
        tags: ['Testing'],
      },
    ]);
  });
});

describe('what the guide does with the rows', () => {
  const IMPORTS = '/v1/work/tracker/imports';
  const ENTRIES = '/v1/work/tracker/entries';

  it('is to try, map, import and undo them', async () => {
    const ana = await given.user({ name: 'Ana' });
    const ben = await given.user({ organization: ana.organization, name: 'Ben Low', role: 'member' });
    const rows = rowsOf('toggl', TOGGL);
    const asked = { origin: 'toggl', rows };
    const dryRun = async (values: Json = {}) =>
      (await ana.send('POST', IMPORTS, { query: { dryRun: true }, body: { ...asked, ...values } })).body.data;
    expect(await dryRun()).toMatchObject({
      ...{ totalRows: rows.length, newRows: rows.length, duplicateRows: 0 },
      ...{ unmappedClients: ['Acme'], unmappedProjects: ['Website'], unmappedUsers: ['Ada Byron'] },
      userMapping: { 'Ben Low': ben.userId },
    });
    const { id: clientId } = await given.client(ana, { name: 'Acme' });
    const { id: projectId } = await given.project(ana, { name: 'Website', clientId, rate: 80 });
    const { clientMapping, projectMapping, userMapping, ...tried } = await dryRun({
      userMapping: { 'Ada Byron': ana.userId },
    });
    expect(tried).toMatchObject({ unmappedClients: [], unmappedProjects: [], unmappedUsers: [] });
    const mapped = { ...asked, clientMapping, projectMapping, userMapping };
    const { status, body } = await ana.post(IMPORTS, mapped);
    expect([status, body.data.importedCount]).toEqual([200, rows.length]);
    const { data } = (await ana.get(ENTRIES, { source: 'import' })).body;
    expect(data).toHaveLength(rows.length);
    expect(data).toContainEqual(
      expect.objectContaining({ clientId, projectId, userId: ana.userId, durationMinutes: 90, userLabel: 'Ada Byron' }),
    );
    const undo = `/v1/work/tracker/remote/sync/history/${body.data.importJobId}/undo`;
    expect((await ana.post(undo)).body.data.removedCount).toBe(rows.length);
    expect((await ana.get(ENTRIES)).body.meta.total).toBe(0);
  });
});
