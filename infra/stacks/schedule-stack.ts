import { Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { HouseSchedule } from '#infra/constructs/house-schedule.ts';
import type { Platform } from '#infra/platform.ts';
import type { ScheduleDefinition } from '#shared/schedules.ts';

export interface ScheduleStackProps {
  readonly schedules: readonly ScheduleDefinition[];
  readonly platform: Platform;
}

export class ScheduleStack extends Stack {
  readonly schedules: readonly HouseSchedule[];

  constructor(scope: Construct, id: string, { schedules, platform }: ScheduleStackProps) {
    super(scope, id, { description: 'Billwright: what runs by the clock' });
    this.schedules = schedules.map((definition) => new HouseSchedule(this, { definition, platform }));
    for (const schedule of this.schedules) Tags.of(schedule).add('area', schedule.definition.area);
  }
}
