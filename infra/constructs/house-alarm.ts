import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export interface HouseAlarmProps {
  /** Of the alarm in the cloud. */
  readonly name: string;
  readonly metric: IMetric;
  /** In the unit of the metric: above it the alarm goes off, or below it where silence is the failure. */
  readonly threshold: number;
  /** Periods in a row that must be above (or below). */
  readonly periods: number;
  /** Who is hurt, and by what: whoever is woken by the alarm reads this first. */
  readonly hurts: string;
  /** What to do: the anchor of a heading of the runbook. */
  readonly section: string;
  /** Something must happen all the time, so that hearing nothing is the failure. Else silence is health: no requests, no failures. */
  readonly fearsSilence?: boolean;
  readonly topic: ITopic;
}

export const RUNBOOK = 'infra/RUNBOOK.md';

/** An alarm that says whom the failure hurts, and where it is written what to do. */
export class HouseAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: HouseAlarmProps) {
    const { name, metric, threshold, periods, hurts, section, fearsSilence = false, topic } = props;
    super(scope, id, {
      alarmName: name,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: fearsSilence
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: fearsSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `Hurts ${hurts} What to do: ${RUNBOOK}#${section}`,
    });
    this.addAlarmAction(new SnsAction(topic));
    this.addOkAction(new SnsAction(topic));
  }
}
