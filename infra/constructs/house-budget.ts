import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

export interface HouseBudgetProps {
  readonly monthlyDollars: number;
  readonly email: string;
}

/** Mails once a month costs more than the limit, and before that when AWS expects it to. It is the whole account's. */
export class HouseBudget extends CfnBudget {
  constructor(scope: Construct, { monthlyDollars, email }: HouseBudgetProps) {
    super(scope, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: monthlyDollars, unit: 'USD' } },
      notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}
