import { App, CfnParameter, Duration, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CorsHttpMethod, HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, type FunctionProps, Function as LambdaFunctionConstruct, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/**
 * A small app with one of everything that the local cloud can run, for the local cloud's tests.
 *
 * @param handlers the folder of the bundles
 */
export function buildFixtureApp(outdir: string, handlers: string): App {
  // Set as the CDK command line sets it: the local cloud needs it to find code and nested templates.
  const context = { 'aws:cdk:enable-asset-metadata': true };
  const app = new App({ outdir, context, analyticsReporting: false });
  const data = dataStack(app);
  apiStack(app, data, handlers);
  return app;
}

function dataStack(app: App) {
  const stack = new Stack(app, 'FixtureData');
  const table = new TableV2(stack, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    globalSecondaryIndexes: [{ indexName: 'byHolder', partitionKey: { name: 'holder', type: AttributeType.STRING } }],
    timeToLiveAttribute: 'expiresAt',
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const key = new Key(stack, 'Key');
  const deadLetters = new Queue(stack, 'DeadLetters', { fifo: true });
  const ordered = new Queue(stack, 'Ordered', {
    fifo: true,
    visibilityTimeout: Duration.seconds(30),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 3 },
  });
  const batched = new Queue(stack, 'Batched', { fifo: true, visibilityTimeout: Duration.seconds(30) });
  return { table, key, ordered, batched };
}

type Data = ReturnType<typeof dataStack>;

function apiStack(app: App, data: Data, handlers: string): void {
  const stack = new Stack(app, 'FixtureApi');
  const greeting = new CfnParameter(stack, 'Greeting', { default: 'hello' });
  const workers = new NestedStack(stack, 'Workers');
  const make = (scope: Construct, name: string, code: string, props: Partial<FunctionProps> = {}) =>
    new LambdaFunctionConstruct(scope, name, {
      functionName: `fixture-${name}`,
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset(`${handlers}/${code}`),
      timeout: Duration.seconds(20),
      memorySize: 128,
      ...props,
    });

  const echo = make(stack, 'echo', 'echo', {
    environment: {
      GREETING: greeting.valueAsString,
      KEY_ID: data.key.keyId,
      TABLE_NAME: data.table.tableName,
    },
  });
  const answer = make(stack, 'answer', 'answer');
  make(stack, 'behave', 'behave', { timeout: Duration.seconds(1) });
  make(stack, 'single', 'behave', { reservedConcurrentExecutions: 1 });
  make(stack, 'patient', 'behave', { environment: { NODE_OPTIONS: '--stack-trace-limit=1' } });
  const broken = make(stack, 'broken', 'broken');

  const caller = make(stack, 'caller', 'call');
  const grant = (actions: string[], resources: string[], conditions = {}) =>
    caller.addToRolePolicy(new PolicyStatement({ actions, resources, conditions }));
  const { tableArn } = data.table;
  const onOpenKeys = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['OPEN#*'] } };
  grant(
    ['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem'],
    [tableArn],
    onOpenKeys,
  );
  grant(['dynamodb:GetItem', 'dynamodb:DeleteItem'], [tableArn]);
  const onSomeAttributes = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'fullAt'] } };
  grant(['dynamodb:UpdateItem'], [tableArn], onSomeAttributes);
  grant(['dynamodb:Query'], [`${tableArn}/index/byHolder`]);
  grant(['dynamodb:Query'], [tableArn], { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['LISTED'] } });
  grant(['dynamodb:Scan'], [tableArn], { NumericLessThan: { 'dynamodb:Anything': '1' } });
  data.ordered.grantSendMessages(caller);
  data.key.grantEncryptDecrypt(caller);
  make(stack, 'stranger', 'call');

  for (const [name, queue, batchSize] of [
    ['ordered-worker', data.ordered, 1],
    ['batched-worker', data.batched, 5],
  ] as const) {
    const worker = make(workers, name, 'worker', { environment: { TABLE_NAME: data.table.tableName } });
    worker.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:PutItem'], resources: [tableArn] }));
    worker.addEventSource(new SqsEventSource(queue, { batchSize, reportBatchItemFailures: true }));
  }

  const ticker = make(workers, 'ticker', 'ticker');
  new Rule(workers, 'Tick', {
    schedule: Schedule.rate(Duration.minutes(5)),
    targets: [new LambdaFunction(ticker)],
  });

  const api = new HttpApi(stack, 'Api', {
    corsPreflight: {
      allowOrigins: ['*'],
      allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST],
      allowHeaders: ['authorization', 'content-type'],
      exposeHeaders: ['x-request-id'],
      maxAge: Duration.hours(1),
    },
    defaultIntegration: new HttpLambdaIntegration('DefaultIntegration', echo),
  });
  const route = (path: string, method: HttpMethod, target: LambdaFunctionConstruct) =>
    api.addRoutes({
      path,
      methods: [method],
      integration: new HttpLambdaIntegration(`${target.node.id}Integration`, target),
    });
  route('/things/{id}', HttpMethod.GET, echo);
  route('/things/{id}', HttpMethod.POST, echo);
  route('/answer', HttpMethod.POST, answer);
  route('/broken', HttpMethod.GET, broken);
}
