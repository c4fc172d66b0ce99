import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export interface HouseAlarmProps {
  /** The alarm's name in the cloud. */
  readonly name: string;
  readonly metric: IMetric;
  /** In the unit of the metric. The alarm goes off above this value, or below it if silence is the failure. */
  readonly threshold: number;
  /** How many periods in a row must be above (or below) the threshold. */
  readonly periods: number;
  /** Who is hurt, and by what. The person whom the alarm wakes reads this first. */
  readonly hurts: string;
  /** What to do: the anchor of a heading in the runbook. */
  readonly section: string;
  /**
   * True if something must happen all the time: then missing data is the failure. Otherwise silence is health: no
   * requests, no failures.
   */
  readonly fearsSilence?: boolean;
  readonly topic: ITopic;
}

export const RUNBOOK = 'infra/RUNBOOK.md';

/** An alarm that says whom the failure hurts, and where the runbook says what to do. */
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
