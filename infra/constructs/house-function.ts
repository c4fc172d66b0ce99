import { join } from 'node:path';
import { CfnParameter, Duration, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { accessOf, queuesSentTo } from '#infra/access.ts';
import { actionsOf } from '#infra/calls.ts';
import type { FunctionDefinition } from '#infra/functions.ts';
import { isOfSecrets, statementsOf, usesTable } from '#infra/permissions.ts';
import { type Platform, queueOf } from '#infra/platform.ts';

export interface HouseFunctionProps {
  readonly definition: FunctionDefinition;
  readonly platform: Platform;
  /** Demands of the trigger, such as receiving from a queue. */
  readonly triggerStatements?: readonly PolicyStatement[];
  /** The function sends to its own queue, and limits that loop itself. Lambda would stop it after sixteen rounds. */
  readonly isLoopMeant?: boolean;
}

/** Has a role of its own, with exactly the permissions that its code and its contract call for. */
export class HouseFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly definition: FunctionDefinition;
  readonly functionName: string;

  constructor(
    scope: Construct,
    { definition, platform, triggerStatements = [], isLoopMeant = false }: HouseFunctionProps,
  ) {
    super(scope, definition.name);
    this.definition = definition;
    this.functionName = `${platform.config.prefix}-${definition.name}`;
    const { functionName } = this;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: platform.config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'start.handler',
      code: Code.fromAsset(join(platform.bundles, definition.area, definition.name), {
        // The local cloud looks at the code itself. To hash all of it was a seventh of a synthesis.
        assetHash: this.node.tryGetContext(DISABLE_ASSET_STAGING_CONTEXT) ? definition.name : undefined,
      }),
      memorySize: definition.memoryMegabytes,
      recursiveLoop: isLoopMeant ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      timeout: Duration.seconds(definition.timeoutSeconds),
      reservedConcurrentExecutions: platform.config.reservesConcurrency ? definition.ownConcurrency : undefined,
      environment: this.environment(platform),
      role: this.role([logging(logGroup), ...triggerStatements, ...statementsOf(this, definition, platform)]),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[platform.config.logLevel],
      /** Lambda's lines of a call that succeeds repeat what its metrics tell. Those of a crash or a timeout stay. */
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    Tags.of(this).add('area', definition.area);
    this.acknowledgeFindings();
  }

  private role(statements: PolicyStatement[]): Role {
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Contract: new PolicyDocument({ statements }) },
    });
  }

  /** Settings follow permissions, so that both are missing together. */
  private environment(platform: Platform): Record<string, string> {
    const access = accessOf(this.definition.name, platform.access);
    const actions = actionsOf(this.definition.name, platform.calls);
    const environment: Record<string, string> = {
      POWERTOOLS_SERVICE_NAME: 'billwright',
      LOG_LEVEL: platform.config.logLevel,
      POWERTOOLS_METRICS_NAMESPACE: platform.config.prefix,
    };
    if (usesTable(this.definition, access, actions)) environment.TABLE_NAME = platform.table.tableName;
    for (const name of queuesSentTo(this.definition, platform.access))
      environment[queueUrlVariable(name)] = queueOf(this, platform, name).url;
    if (actions.some(isOfSecrets)) environment.SECRETS_KEY_ID = platform.secretsKey.keyId;
    // Only functions that handle the provider's tokens call the provider.
    if (actions.some(isOfSecrets) && !access.ofWebhooks) {
      environment.REMOTE_API_URL = parameter(this, 'RemoteApiUrl', {
        default: platform.config.remoteApiUrl,
        description: 'Base URL of the remote time-tracking provider.',
      });
    }
    if (this.definition.authenticates) {
      const { issuer = '', audience = '' } = platform.config.signIn ?? {};
      environment.OIDC_ISSUER = parameter(this, 'OidcIssuer', {
        default: issuer,
        description: 'The issuer whose tokens sign people in. Empty: nobody signs in.',
      });
      environment.OIDC_AUDIENCE = parameter(this, 'OidcAudience', {
        default: audience,
        description: 'For whom these tokens must be.',
      });
    }
    return environment;
  }

  private acknowledgeFindings(): void {
    Validations.of(this).acknowledge(
      {
        id: 'Serverless-LambdaTracing',
        reason:
          'Structured logs carry the request id from the gateway to the last worker. The tracer would add a third to every bundle and a permission on all resources.',
      },
      {
        id: 'Serverless-LambdaDLQ',
        reason:
          'The gateway and SQS call synchronously: the caller sees a failure, and the queue has its own dead-letter queue. A tick of the clock that failed is made good by the next, with an alarm on errors.',
      },
    );
  }
}

/** `import-chunks` -> `QUEUE_URL_IMPORT_CHUNKS` */
function queueUrlVariable(queueName: string): string {
  return `QUEUE_URL_${queueName.replaceAll('-', '_').toUpperCase()}`;
}

function logging(logGroup: ILogGroup): PolicyStatement {
  return new PolicyStatement({
    sid: 'Logs',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
}

/** A parameter of the outermost stack, which its functions share. */
function parameter(scope: Construct, name: string, props: { default: string; description: string }): string {
  const stack = outermostStack(scope);
  const existing = stack.node.tryFindChild(name);
  const shared =
    existing instanceof CfnParameter ? existing : new CfnParameter(stack, name, { type: 'String', ...props });
  return shared.valueAsString;
}

function outermostStack(scope: Construct): Stack {
  const stack = Stack.of(scope);
  return stack.nestedStackParent ? outermostStack(stack.nestedStackParent) : stack;
}
