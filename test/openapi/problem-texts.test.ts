import { describe, expect, it } from 'vitest';
import { eventsExpired, invalidSequence } from '#shared/domain/events/event.ts';
import { tooManyWebhooks } from '#shared/domain/events/webhook.ts';
import { assertGrantable, assertOfOrganization, grantableLimits } from '#shared/domain/keys/api-key.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { assertOutside, MAX_API_KEYS, withKey } from '#shared/domain/keys/roster.ts';
import { alreadyLinked, invitationInvalid } from '#shared/domain/organization/invitation.ts';
import { reviseNumbering } from '#shared/domain/organization/numbering.ts';
import { currencyInUse, newOrganization, reviseOrganization } from '#shared/domain/organization/organization.ts';
import {
  emailTaken,
  lastAdmin,
  nameTaken,
  newUser,
  tooManyUsers,
  withdrawUser,
} from '#shared/domain/organization/users.ts';
import type { Problem } from '#shared/domain/problems.ts';
import { notConnected } from '#shared/domain/remote/connection.ts';
import { assertSameClient } from '#shared/domain/tracker/project-terms.ts';
import { timerAlreadyRunning } from '#shared/domain/tracker/timer.ts';
import { timerNotRunning } from '#shared/domain/tracker/timer-end.ts';
import { assertInOrder } from '#shared/domain/tracker/work-time.ts';
import { PROBLEM_TEXTS, problemTexts } from '#shared/openapi/problem-texts.ts';
import { type Section, sectionsOf } from '#shared/openapi/sections.ts';
import { routes } from '#shared/routes.ts';

const sections = sectionsOf('problems.md');

const NOW = new Date('2026-11-20T09:30:00.000Z');

const organization = newOrganization({ name: 'Acme', currency: 'EUR' }, 'organization', NOW);

const removed = withdrawUser(newUser({ name: 'Bea', role: 'member' }, 'bea', NOW), NOW);

const project = { id: 'project', clientId: 'client', defaultRate: null, currency: 'EUR' };

const key = { id: 'key', createdByKeyId: null, expiresAt: null };

/** What rules refuse, or make to be thrown. */
const REFUSALS: readonly (() => unknown)[] = [
  ...[alreadyLinked, invitationInvalid, currencyInUse, nameTaken, emailTaken, lastAdmin, notConnected, tooManyWebhooks],
  ...['', 'user'].map((path) => () => tooManyUsers(path)),
  () => timerAlreadyRunning(null),
  () => timerNotRunning(null, null),
  () => eventsExpired(120),
  () => invalidSequence(42),
  () => reviseNumbering('INVOICE', { format: 'INV-{n:6}', next: 118 }, { next: 7 }, 'invoiceNumbering'),
  () => reviseOrganization(organization, { lockedThrough: '2026-11-21' }, NOW),
  () => withdrawUser(removed, NOW),
  () => assertSameClient('other', project),
  () => assertInOrder({ startedAt: '2026-11-20', endedAt: '2026-11-20' }, 'startTime'),
  () => assertOutside(new Set(['key']), 'key'),
  () => withKey(Array(MAX_API_KEYS).fill(key), key, NOW),
  () => assertGrantable(['invoices:write'], []),
  () => grantableLimits({ rateLimit: 601 }, { rateLimit: 600, expiresAt: null }, NOW),
  () => assertOfOrganization({ organizationId: PLATFORM_ID }),
];

function problemOf(refuse: () => unknown): Problem {
  try {
    return refuse() as Problem;
  } catch (error) {
    return error as Problem;
  }
}

const firstWith = (change: Partial<Section>) =>
  sections.map((section, position) => (position === 0 ? { ...section, ...change } : section));

describe('problems.md', () => {
  it.each([
    ['lacks a code', sections.slice(1)],
    ['lacks the last code', sections.slice(0, -1)],
    ['has a code that no problem has', firstWith({ title: 'malformed_jsn' })],
    ['has a code twice', [...sections, ...sections.slice(-1)]],
    ['has a line that is neither a detail nor a fault', firstWith({ text: 'Cause.\n\nRemedy.\n\n* `name`: No text.' })],
  ])('ends the build if it %s', (_, changed) => {
    expect(() => problemTexts(changed)).toThrow('problems.md has');
  });

  it.each(REFUSALS.map(problemOf).map((problem) => [problem.code, problem] as const))(
    'has what is said of %s',
    (code, problem) => {
      const { details, faults } = PROBLEM_TEXTS[code];
      const { detail, errors = [] } = problem.details;
      expect([...Object.values(details), ...faults.map(({ message }) => message)]).toContain(detail);
      expect(faults).toEqual(expect.arrayContaining([...errors]));
    },
  );

  it('names only operations that exist', () => {
    const operations = Object.values(PROBLEM_TEXTS).flatMap(({ details }) => Object.keys(details));
    const existing = routes.map(({ operationId }) => operationId);
    expect(existing).toEqual(expect.arrayContaining(operations.filter((name) => name !== '')));
  });
});
