import { Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import type { Config } from '#infra/config.ts';

export interface HouseBackupsProps {
  readonly prefix: string;
  readonly settings: NonNullable<Config['backups']>;
  readonly table: ITableV2;
  readonly removalPolicy: RemovalPolicy;
}

/** The table can go back as far by itself. */
const KEPT_HERE = Duration.days(35);

/** Before the working day of most. */
const MONTHLY = Schedule.cron({ day: '1', hour: '3', minute: '0' });

/** Each month a backup of the whole table, and its copy in a vault that does not go with the account, or with the region. */
export class HouseBackups extends Construct {
  constructor(scope: Construct, { prefix, settings, table, removalPolicy }: HouseBackupsProps) {
    super(scope, 'Backups');
    const { copyTo, keptDays, coldAfterDays } = settings;
    const backupVault = new BackupVault(this, 'Vault', { backupVaultName: `${prefix}-backups`, removalPolicy });
    const copy = {
      destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Elsewhere', copyTo),
      deleteAfter: Duration.days(keptDays),
      ...(coldAfterDays !== undefined && { moveToColdStorageAfter: Duration.days(coldAfterDays) }),
    };
    const monthly = { ruleName: 'monthly', scheduleExpression: MONTHLY, deleteAfter: KEPT_HERE, copyActions: [copy] };
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: `${prefix}-backups`,
      backupVault,
      backupPlanRules: [new BackupPlanRule(monthly)],
    });
    const selection = plan.addSelection('Table', { resources: [BackupResource.fromArn(table.tableArn)] });
    Validations.of(selection).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason: 'AWS keeps it in step with what its service needs to back up and to copy.',
    });
  }
}
