import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export interface HouseAlarmProps {
  readonly name: string;
  readonly metric: IMetric;
  /** Exceeding it raises the alarm; falling below it, if silence is the failure. */
  readonly threshold: number;
  /** How many periods must be so. */
  readonly periods: number;
  /** Among how many; by default in a row. */
  readonly outOf?: number;
  /** The first words for the person whom the alarm wakes. */
  readonly hurts: string;
  /** The anchor of a heading in the runbook. */
  readonly section: string;
  /** True if something must happen all the time: missing data is then the failure. */
  readonly fearsSilence?: boolean;
  readonly topic: ITopic;
}

export const RUNBOOK = 'infra/RUNBOOK.md';

export class HouseAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: HouseAlarmProps) {
    const { name, metric, threshold, periods, outOf = periods, hurts, section, fearsSilence = false, topic } = props;
    super(scope, id, {
      alarmName: name,
      metric,
      threshold,
      evaluationPeriods: outOf,
      datapointsToAlarm: periods,
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
