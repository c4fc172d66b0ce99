import type { Area } from './contract/endpoint.ts';

/** Functions that EventBridge starts at a fixed rate: `functions/<area>/<name>.ts`. */
export interface ScheduleDefinition {
  readonly area: Area;
  readonly name: string;
  readonly everyMinutes: number;
  readonly timeoutSeconds: number;
  /** As of a queue. */
  readonly leavesEvents?: true;
}

export const schedules: readonly ScheduleDefinition[] = [
  {
    name: 'sweep-imports',
    area: 'remote',
    everyMinutes: 5,
    timeoutSeconds: 60,
    leavesEvents: true,
  },
  {
    name: 'sync-scheduler',
    area: 'remote',
    everyMinutes: 5,
    /** A thousand due connections take some seconds. */
    timeoutSeconds: 120,
  },
  {
    name: 'webhook-scheduler',
    area: 'events',
    everyMinutes: 1,
    timeoutSeconds: 120,
  },
  {
    name: 'deletion-scheduler',
    area: 'organization',
    everyMinutes: 1,
    timeoutSeconds: 60,
  },
];
