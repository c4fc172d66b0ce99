import { KMS } from '@aws-sdk/client-kms';
import { describe, expect, it } from 'vitest';
import type { ObservedCall } from '#scripts/local/aws-endpoint.ts';
import { REGION } from '#scripts/local/names.ts';
import { useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

const fixture = useFixtureCloud();

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '1' } });
const table = () => ({ TableName: fixture.cloud.tableName });
const DENIED = { error: 'AccessDeniedException' };
const caller = (operation: string, input: object) => fixture.call('caller', operation, input);

const queryOf = (pk: string) => ({
  ...table(),
  KeyConditionExpression: '#p = :p',
  ExpressionAttributeNames: { '#p': 'pk' },
  ExpressionAttributeValues: { ':p': { S: pk } },
});

describe('the role of a function', () => {
  it('denies what no policy allows, in the words of AWS', async () => {
    const outcome = await fixture.call('stranger', 'dynamodb.putItem', { ...table(), Item: key('OPEN#1') });
    expect(outcome.error).toBe('AccessDeniedException');
    expect(outcome.message).toMatch(
      /^User: arn:aws:sts::000000000000:assumed-role\/\S+\/fixture-stranger is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table\/\S+/,
    );
    expect(await fixture.database.getItem({ ...table(), Key: key('OPEN#1') })).not.toHaveProperty('Item');
  });

  it('limits calls to leading keys', async () => {
    const writes = (...pks: string[]) => ({
      RequestItems: { [fixture.cloud.tableName]: pks.map((pk) => ({ PutRequest: { Item: key(pk) } })) },
    });
    const outcomes = await Promise.all([
      caller('dynamodb.putItem', { ...table(), Item: key('CLOSED#1') }),
      caller('dynamodb.batchWriteItem', writes('OPEN#1', 'CLOSED#1')),
      caller('dynamodb.query', queryOf('CLOSED#1')),
      caller('dynamodb.batchGetItem', {
        RequestItems: { [fixture.cloud.tableName]: { Keys: [key('OPEN#1'), key('CLOSED#1')] } },
      }),
    ]);
    expect(outcomes.map(({ error }) => error)).toEqual(Array(4).fill('AccessDeniedException'));
    expect(await caller('dynamodb.query', queryOf('OPEN#1'))).toHaveProperty('output');
    expect(await caller('dynamodb.batchWriteItem', writes('OPEN#5', 'OPEN#6'))).toHaveProperty('output');
    const keys = { RequestItems: { [fixture.cloud.tableName]: { Keys: [key('OPEN#1')] } } };
    expect(await caller('dynamodb.batchGetItem', keys)).toHaveProperty('output');
  });

  it('limits calls to leading keys by their whole text', async () => {
    expect(await caller('dynamodb.query', queryOf('LISTED'))).toHaveProperty('output');
    expect(await caller('dynamodb.query', queryOf('LISTED#1'))).toMatchObject(DENIED);
  });

  it('limits an update to the attributes that it names', async () => {
    const update = (UpdateExpression: string, more: object = {}) =>
      caller('dynamodb.updateItem', {
        ...table(),
        Key: key('UPDATED'),
        UpdateExpression,
        ExpressionAttributeValues: { ':value': { N: '1' } },
        ...more,
      });
    expect(await update('SET fullAt = :value')).toHaveProperty('output');
    const refusals = await Promise.all([
      update('SET scopes = :value'),
      update('SET fullAt = :value, organizationId = :value'),
      update('SET #a = :value', { ExpressionAttributeNames: { '#a': 'rateLimit' } }),
      update('ADD userId :value'),
      update('SET fullAt = :value REMOVE expiresAt'),
    ]);
    expect(refusals.map(({ error }) => error)).toEqual(Array(5).fill('AccessDeniedException'));
    const { Item } = await fixture.database.getItem({ ...table(), Key: key('UPDATED') });
    expect(Object.keys(Item ?? {}).toSorted()).toEqual(['fullAt', 'pk', 'sk']);
  });

  it('applies to each element of a transaction by itself', async () => {
    const put = (pk: string) => ({ Put: { ...table(), Item: key(pk) } });
    const transact = (...items: object[]) => caller('dynamodb.transactWriteItems', { TransactItems: items });
    const check = {
      ConditionCheck: { ...table(), Key: key('OPEN#9'), ConditionExpression: 'attribute_not_exists(pk)' },
    };
    expect(await transact(put('OPEN#3'), { Delete: { ...table(), Key: key('CLOSED#3') } })).toHaveProperty('output');
    expect(await transact(put('OPEN#4'), put('CLOSED#4'))).toMatchObject(DENIED);
    const denied = await transact(put('OPEN#4'), check);
    expect(denied.message).toContain('dynamodb:ConditionCheckItem');
    const get = { TransactItems: [{ Get: { ...table(), Key: key('CLOSED#4') } }] };
    expect(await caller('dynamodb.transactGetItems', get)).toHaveProperty('output');
  });

  it('names the index where one is queried', async () => {
    const query = (IndexName: string) => ({
      ...table(),
      IndexName,
      KeyConditionExpression: 'holder = :o',
      ExpressionAttributeValues: { ':o': { S: 'ana' } },
    });
    expect(await caller('dynamodb.query', query('byHolder'))).toHaveProperty('output');
    expect((await caller('dynamodb.query', query('another'))).message).toContain('/index/another');
  });

  it('grants nothing under a condition that the local cloud does not know', async () => {
    expect(await caller('dynamodb.scan', table())).toMatchObject(DENIED);
  });

  it('applies to queues and keys', async () => {
    const [queueUrl] = Object.values(fixture.cloud.queueUrls);
    const message = { QueueUrl: queueUrl, MessageBody: '{}' };
    expect(await fixture.call('stranger', 'sqs.sendMessage', message)).toMatchObject(DENIED);
    const receive = await caller('sqs.receiveMessage', { QueueUrl: queueUrl });
    expect(receive.message).toContain('sqs:ReceiveMessage');
  });
});

describe('the AWS endpoint', () => {
  it('refuses who is not known', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=NOBODY/20260101/us-east-1/dynamodb/aws4_request' };
    const unknown = await fetch(fixture.cloud.awsEndpoint, { method: 'POST', headers, body: '{}' });
    expect(await unknown.json()).toMatchObject({ __type: 'UnrecognizedClientException' });
    expect((await fetch(fixture.cloud.awsEndpoint, { method: 'POST', body: '{}' })).status).toBe(403);
  });

  it('refuses every web page, also one that knows the credentials', async () => {
    const { accessKeyId } = fixture.cloud.adminCredentials;
    const headers = {
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
    };
    const list = (method: string, origin: Record<string, string>) =>
      fetch(fixture.cloud.awsEndpoint, {
        method,
        headers: { ...headers, ...origin },
        ...(method === 'POST' && { body: '{}' }),
      });
    expect((await list('POST', {})).status).toBe(200);
    for (const method of ['POST', 'OPTIONS']) {
      const refused = await list(method, { origin: fixture.cloud.awsEndpoint });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('reports each call with the invocation that made it, and what it cost', async () => {
    const calls: ObservedCall[] = [];
    const end = fixture.cloud.observe((call) => calls.push(call));
    await caller('dynamodb.getItem', { ...table(), Key: key('OPEN#2'), ReturnConsumedCapacity: 'TOTAL' });
    end();
    await caller('dynamodb.getItem', { ...table(), Key: key('OPEN#2') });
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(call).toMatchObject({
      functionName: 'fixture-caller',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      service: 'dynamodb',
      operation: 'GetItem',
      status: 200,
    });
    expect(JSON.parse(call?.responseBody ?? '')).toMatchObject({ ConsumedCapacity: { CapacityUnits: 0.5 } });
    expect(call?.endedAt).toBeGreaterThan(call?.startedAt ?? 0);
  });

  it('lets faults in where it is told to', async () => {
    const get = () => caller('dynamodb.getItem', { ...table(), Key: key('OPEN#2') });
    const put = () => caller('dynamodb.putItem', { ...table(), Item: key('OPEN#dropped') });
    const during = async (interception: Parameters<typeof fixture.cloud.intercept>[0], run: typeof get) => {
      const end = fixture.cloud.intercept(interception);
      const outcome = await run();
      end();
      return outcome;
    };
    const conflict = { status: 400, body: '{"__type":"TransactionConflictException","message":"conflict"}' };
    expect(await during(() => conflict, get)).toMatchObject({ error: 'TransactionConflictException' });
    expect(await during(() => 'drop', put)).toMatchObject({ message: expect.stringMatching(/hang up|ECONNRESET/) });
    expect(await fixture.database.getItem({ ...table(), Key: key('OPEN#dropped') })).not.toHaveProperty('Item');
    expect(await during(() => 'dropAnswer', put)).toMatchObject({
      message: expect.stringMatching(/hang up|ECONNRESET/),
    });
    expect(await fixture.database.getItem({ ...table(), Key: key('OPEN#dropped') })).toHaveProperty('Item');
    const startedAt = performance.now();
    await during(() => ({ delayMilliseconds: 200 }), get);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
    expect(await get()).toHaveProperty('output');
  });
});

describe('KMS', () => {
  async function keyId(): Promise<string> {
    const { environment } = (await fixture.run('echo')) as { environment: Record<string, string> };
    return environment.KEY_ID ?? '';
  }

  it('decrypts what it has encrypted, in the same context only', async () => {
    const { awsEndpoint: endpoint, adminCredentials: credentials } = fixture.cloud;
    const kms = new KMS({ endpoint, region: REGION, credentials });
    const Plaintext = Buffer.from('a provider token');
    const context = { organization: 'acme', purpose: 'token' };
    const { CiphertextBlob } = await kms.encrypt({ KeyId: await keyId(), Plaintext, EncryptionContext: context });
    const decrypt = (EncryptionContext: Record<string, string>) => kms.decrypt({ CiphertextBlob, EncryptionContext });
    const decrypted = await decrypt({ purpose: 'token', organization: 'acme' });
    expect(Buffer.from(decrypted.Plaintext ?? [])).toEqual(Plaintext);
    for (const other of [{ ...context, organization: 'other' }, {}])
      await expect(decrypt(other)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  it('encrypts and decrypts for nobody without the permission', async () => {
    const KeyId = await keyId();
    // A ciphertext begins with the id of its key.
    const [encrypt, decrypt] = [{ KeyId, Plaintext: 'text' }, { CiphertextBlob: KeyId }];
    expect(await caller('kms.encrypt', encrypt)).toHaveProperty('output');
    expect(await caller('kms.decrypt', decrypt)).toMatchObject({ error: 'InvalidCiphertextException' });
    for (const [operation, input] of Object.entries({ encrypt, decrypt }))
      expect(await fixture.call('stranger', `kms.${operation}`, input)).toMatchObject(DENIED);
  });
});
