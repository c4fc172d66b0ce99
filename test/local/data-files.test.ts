import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertDataFiles, emptyDataDir } from '#scripts/local/data-files.ts';
import { StartError } from '#scripts/local/errors.ts';
import { lockDataDir } from '#scripts/local/instance-file.ts';
import { Kms } from '#scripts/local/kms.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';

const PAGE_BYTES = 4_096;
const KEY = { id: '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61', arn: 'arn:aws:kms:key', aliases: [] };

let dataDir = '';
const at = (name: string) => join(dataDir, name);

/** As a start leaves it. */
beforeEach(async () => {
  dataDir = await temporaryFolder();
  for (const name of ['dynamodb.db', 'sqs.db']) {
    const database = new DatabaseSync(at(name));
    database.exec(`CREATE TABLE work (note TEXT); INSERT INTO work VALUES ('${'x'.repeat(3 * PAGE_BYTES)}')`);
    database.close();
  }
  new Kms(dataDir, [KEY]);
  writeFileSync(at('demo.json'), '{}');
});

afterEach(() => rmSync(dataDir, { recursive: true }));

function fillWithNoise(name: string, from: number): void {
  const bytes = readFileSync(at(name));
  writeFileSync(at(name), bytes.fill(0xa5, from));
}

function complaintOf(open: () => unknown): string {
  try {
    open();
    return '';
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

describe('the data folder', () => {
  describe.each(['dynamodb.db', 'sqs.db'])('with a damaged %s', (name) => {
    it.each([
      ['no database at all', () => fillWithNoise(name, 0)],
      ['a page of noise', () => fillWithNoise(name, PAGE_BYTES)],
      ['its half', () => truncateSync(at(name), 2 * PAGE_BYTES)],
    ])('names the file and the remedy, and leaves it as it is: %s', (_, damage) => {
      damage();
      const before = readFileSync(at(name));
      const complaint = complaintOf(() => assertDataFiles(dataDir, true));
      expect(complaint).toMatch(/ is damaged \([^\n]+\)\. .*npm start -- --fresh$/);
      expect(complaint).toContain(at(name));
      expect(readFileSync(at(name))).toEqual(before);
    });
  });

  it.each(['', '{', '{"one":"c2hvcnQ="}'])('names a damaged kms.json, and shows nothing of it: %s', (content) => {
    writeFileSync(at('kms.json'), content);
    const complaint = complaintOf(() => {
      assertDataFiles(dataDir, true);
      return new Kms(dataDir, [KEY]);
    });
    expect(complaint).toContain(at('kms.json'));
    expect(complaint).toContain('npm start -- --fresh');
    expect(complaint).not.toContain('c2hvcnQ');
    expect(readFileSync(at('kms.json'), 'utf8')).toBe(content);
  });

  it.each(['kms.json', 'sqs.db', 'dynamodb.db'])('names the missing %s, and makes no other', (name) => {
    rmSync(at(name));
    expect(complaintOf(() => assertDataFiles(dataDir, true))).toContain(`${at(name)} is missing or empty.`);
    expect(existsSync(at(name))).toBe(false);
  });

  it('needs no table where DynamoDB runs elsewhere', () => {
    rmSync(at('dynamodb.db'));
    expect(complaintOf(() => assertDataFiles(dataDir, false))).toBe('');
  });

  it('may lack files after a first start that did not end', () => {
    for (const name of ['demo.json', 'kms.json', 'sqs.db']) rmSync(at(name));
    expect(complaintOf(() => assertDataFiles(dataDir, true))).toBe('');
  });
});

describe('--fresh', () => {
  function terminal(answer: string) {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    input.end(`${answer}\n`);
    return { input, output: new PassThrough() };
  }

  const isEmpty = () => !['demo.json', 'dynamodb.db', 'kms.json', 'sqs.db'].some((name) => existsSync(at(name)));

  it.each(['y', 'Yes', ' y '])('deletes the data of the local cloud alone, after a yes: %s', async (answer) => {
    writeFileSync(at('notes.txt'), 'not of the cloud');
    const asked = terminal(answer);
    await emptyDataDir(dataDir, false, asked);
    expect(String(asked.output.read())).toContain(`Delete all data in ${dataDir}?`);
    expect(isEmpty()).toBe(true);
    expect(existsSync(at('notes.txt'))).toBe(true);
  });

  it.each(['', 'n', 'yesterday'])('deletes nothing after any other answer: %s', async (answer) => {
    await expect(emptyDataDir(dataDir, false, terminal(answer))).rejects.toThrow('Nothing was deleted.');
    expect(existsSync(at('dynamodb.db'))).toBe(true);
  });

  it('deletes nothing while a local cloud uses the data', async () => {
    const lock = lockDataDir(dataDir);
    await expect(emptyDataDir(dataDir, true)).rejects.toThrow('Another local cloud runs on');
    lock.release();
    expect(existsSync(at('dynamodb.db'))).toBe(true);
  });
});
