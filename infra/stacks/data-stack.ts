import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  type ITableV2,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Config } from '#infra/config.ts';
import { HouseBackups } from '#infra/constructs/house-backups.ts';
import { type IndexDefinition, tableDefinition } from '#shared/data/table/table-definition.ts';

export interface DataStackProps {
  readonly config: Config;
}

/** Outlives every other stack. Losing the key would lose the stored provider tokens. */
export class DataStack extends Stack {
  readonly table: ITableV2;
  readonly secretsKey: IKey;

  constructor(scope: Construct, id: string, { config }: DataStackProps) {
    super(scope, id, { description: 'Billwright: table and key', terminationProtection: config.protectsData });
    this.table = config.restoredTable
      ? TableV2.fromTableName(this, 'RestoredTable', config.restoredTable)
      : this.newTable(config);
    this.secretsKey = config.restoredKey
      ? Key.fromKeyArn(this, 'SecretsKey', config.restoredKey)
      : new Key(this, 'SecretsKey', {
          description: 'Encrypts the provider tokens of remote connections.',
          enableKeyRotation: true,
          removalPolicy: removalPolicyOf(config),
        });
    this.secretsKey.addAlias(`${config.prefix}-secrets`);
    const { prefix, backups } = config;
    if (backups) {
      const removalPolicy = removalPolicyOf(config);
      new HouseBackups(this, { prefix, settings: backups, table: this.table, removalPolicy });
    }
    new CfnOutput(this, 'TableName', { value: this.table.tableName, description: 'For npm run keys -- ... --table' });
  }

  private newTable(config: Config): TableV2 {
    return new TableV2(this, 'Table', {
      partitionKey: stringAttribute(tableDefinition.partitionKey),
      sortKey: stringAttribute(tableDefinition.sortKey),
      globalSecondaryIndexes: tableDefinition.indexes.map(indexProps),
      timeToLiveAttribute: tableDefinition.timeToLiveAttribute,
      billing: Billing.onDemand(),
      warmThroughput: config.warmThroughput,
      /**
       * A key of our own would put KMS and its quota on the path of every request. Provider tokens are encrypted before
       * they are stored.
       */
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: config.protectsData,
      removalPolicy: removalPolicyOf(config),
    });
  }
}

/** A first deployment that fails leaves nothing behind that the next one would have to go around. */
function removalPolicyOf({ protectsData }: Config): RemovalPolicy {
  return protectsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

const stringAttribute = (name: string) => ({ name, type: AttributeType.STRING });

function indexProps({ name, partitionKey, sortKey, ...index }: IndexDefinition): GlobalSecondaryIndexPropsV2 {
  return {
    indexName: name,
    partitionKey: stringAttribute(partitionKey),
    sortKey: stringAttribute(sortKey),
    projectionType: ProjectionType[index.projection],
    nonKeyAttributes: index.attributes && [...index.attributes],
  };
}
