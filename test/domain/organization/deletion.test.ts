import { describe, expect, it } from 'vitest';
import { MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import { deletionOf, leaseEnd, QUIET_SECONDS, quietFrom } from '#shared/domain/organization/deletion.ts';
import { MAX_RECEIVES, queues } from '#shared/queues.ts';
import { LEASE_MILLISECONDS } from '#shared/runtime/lease.ts';
import { schedules } from '#shared/schedules.ts';
import { organizationOf } from '#test/support/organization.ts';

const NOW = new Date('2026-11-20T10:00:00.000Z');

const secondsUntil = (instant: string) => (Date.parse(instant) - NOW.getTime()) / 1_000;

describe('a deletion', () => {
  it('waits until nobody writes any more who had begun before', () => {
    const requests = LEASE_MILLISECONDS / 1_000 + MAX_TIMEOUT_SECONDS;
    const workers = queues.filter(({ name }) => name !== 'deletions').map(({ timeoutSeconds }) => timeoutSeconds);
    expect(QUIET_SECONDS).toBeGreaterThan(Math.max(requests, ...workers));
    expect(secondsUntil(quietFrom(NOW))).toBe(QUIET_SECONDS);
  });

  it('is left to its worker for as long as its message may be delivered', () => {
    const [queue] = queues.filter(({ name }) => name === 'deletions');
    const hiddenSeconds = 30;
    const deliveries = MAX_RECEIVES * ((queue?.timeoutSeconds ?? 0) + hiddenSeconds);
    expect(secondsUntil(leaseEnd(NOW))).toBeGreaterThan(deliveries);
    // The runbook says when it is queued again.
    expect(secondsUntil(leaseEnd(NOW))).toBe(30 * 60);
    expect(schedules.find(({ name }) => name === 'deletion-scheduler')?.everyMinutes).toBe(1);
  });

  it('begins once', () => {
    const active = { ...organizationOf(), status: 'active' } as const;
    const deleting = deletionOf(active, NOW);
    expect(deleting).toMatchObject({ status: 'deleting', updatedAt: NOW.toISOString() });
    expect(deletionOf(deleting, new Date())).toBe(deleting);
  });
});
