import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Endpoint, filledPath, parameterNames } from '#shared/contract/endpoint.ts';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { PROBLEMS, Problem } from '#shared/domain/problems.ts';
import { readBody } from '#shared/http/body.ts';
import { validateBody } from '#shared/http/validation.ts';
import { routes } from '#shared/routes.ts';
import { COSTLY_BODIES } from '#test/support/costly-bodies.ts';
import { given, type User } from '#test/support/given.ts';
import { resourceOf } from '#test/support/resources.ts';
import { Violations } from './violations.ts';

/**
 * Bodies drawn for what they cost rather than for what they say: deep, wide, long, full of faults, packed a thousandfold, within the limits and
 * beyond. All are read and validated in this process, where the time of the processor is known, and some are sent over HTTP too. No answer takes
 * longer than three seconds, no function ends, a bad body gets its 4xx, and over HTTP the same one.
 */
export interface CostFigures {
  readonly seed: number;
  readonly bodies: number;
  /** Of these, how many were also sent over HTTP. */
  readonly sent: number;
  readonly unpackedMegabytes: number;
  readonly packedMegabytes: number;
  /** What became of them in this process: `taken`, or the status of the refusal. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of one body, in milliseconds: until it was read and validated, and until it was answered over HTTP. */
  readonly longestProcessorMilliseconds: number;
  readonly longestAnswerMilliseconds: number;
  readonly dearest: string;
  readonly endedFunctions: number;
  readonly seconds: number;
  readonly violations: readonly string[];
}

const LONGEST_MILLISECONDS = 3_000;

/** One of so many is sent over HTTP, where it takes longer than in this process. */
const SENT_SHARE = 20;

const BATCH = 500;

const MEBIBYTE = 1_048_576;

const endpoints = routes.filter(({ body, scope }) => body && scope !== null);

interface Draw {
  readonly endpoint: Endpoint;
  readonly kind: string;
  /** The member that holds what is costly. */
  readonly member: string;
  readonly bytes: number;
  readonly isPacked: boolean;
  /** Whether the members of the contract's example stand beside it. */
  readonly isMixed: boolean;
}

/** @param count of all bodies */
export async function fuzzCosts(cloud: Cloud, count: number, seed: number): Promise<CostFigures> {
  const startedAt = performance.now();
  const tally = new Tally();
  const stopWatching = cloud.logs.subscribe(({ functionName, record }) => {
    if (record.message === 'Invocation failed') tally.ended(`${functionName} ended: ${JSON.stringify(record)}`);
  });
  for (let batch = 0; tally.bodies < count; batch++) {
    const by = await given.user();
    await given.connection(by);
    const draws = fc.sample(anyDraw, { numRuns: Math.min(BATCH, count - tally.bodies), seed: seed + batch });
    for (const [position, draw] of draws.entries()) {
      const text = textOf(draw);
      const outcome = await tally.measure(draw, text);
      if (position % SENT_SHARE === 0) await tally.send(by, draw, text, outcome);
    }
    if (tally.bodies < count) console.error(`costs: ${tally.bodies} of ${count} bodies`);
  }
  stopWatching();
  return { seed, ...tally.figures(), seconds: (performance.now() - startedAt) / 1_000 };
}

/** Small bodies are as frequent as large ones, and the limit itself is met. */
const anyDraw: fc.Arbitrary<Draw> = fc.constantFrom(...endpoints).chain((endpoint) => {
  const limit = limitOf(endpoint);
  const size = fc.double({ min: 4, max: Math.log2(limit) + 0.2, noNaN: true }).map((power) => Math.round(2 ** power));
  return fc.record({
    endpoint: fc.constant(endpoint),
    kind: fc.constantFrom(...Object.keys(COSTLY_BODIES)),
    member: fc.constantFrom('nobody', ...membersOf(endpoint)),
    bytes: fc.oneof(
      { weight: 20, arbitrary: size },
      { weight: 1, arbitrary: fc.constantFrom(limit - 1, limit, limit + 1) },
    ),
    isPacked: fc.boolean(),
    isMixed: fc.boolean(),
  });
});

function limitOf({ bodyMebibytes = 1 }: Endpoint): number {
  return bodyMebibytes * MEBIBYTE;
}

function membersOf({ body }: Endpoint): string[] {
  return body && 'entries' in body ? Object.keys(Object(body.entries)) : [];
}

const FIRST_MEMBER = /^\{"\w+":/;

function textOf({ endpoint, kind, member, bytes, isMixed }: Draw): string {
  const example = JSON.stringify(endpoint.example.body ?? {}).slice(1, -1);
  const beside = isMixed && example !== '' ? `${example},` : '';
  const made = COSTLY_BODIES[kind]?.(bytes - beside.length) ?? '';
  return made.replace(FIRST_MEMBER, () => `{${beside}${JSON.stringify(member)}:`);
}

class Tally {
  readonly #violations = new Violations();
  readonly #outcomes = new Map<string, number>();
  #sent = 0;
  #unpackedBytes = 0;
  #packedBytes = 0;
  #endedFunctions = 0;
  #processorMilliseconds = 0;
  #answerMilliseconds = 0;
  #dearest = '';
  bodies = 0;

  ended(what: string): void {
    this.#endedFunctions += 1;
    this.#violations.add(what);
  }

  /** @returns `taken`, or the status that refuses the body */
  async measure(draw: Draw, text: string): Promise<string> {
    const body = packed(draw, text);
    this.bodies += 1;
    this.#unpackedBytes += Buffer.byteLength(text);
    this.#packedBytes += body.length;
    const before = process.cpuUsage();
    const outcome = await outcomeOf(draw, body);
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1_000;
    if (milliseconds > this.#processorMilliseconds) {
      this.#processorMilliseconds = milliseconds;
      this.#dearest = nameOf(draw);
    }
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    if (milliseconds > LONGEST_MILLISECONDS) this.#violations.add(`takes ${milliseconds} ms: ${nameOf(draw)}`);
    if (!allowedOutcomes(draw, text).includes(outcome)) this.#violations.add(`is ${outcome}: ${nameOf(draw)}`);
    return outcome;
  }

  async send(by: User, draw: Draw, text: string, outcome: string): Promise<void> {
    const { method, path } = draw.endpoint;
    const [name] = parameterNames(path);
    const params = name === undefined ? {} : { [name]: await resourceOf(draw.endpoint, by) };
    const headers = draw.isPacked ? { 'content-encoding': 'gzip' } : undefined;
    const rawBody = new Uint8Array(packed(draw, text));
    const before = performance.now();
    try {
      const { status } = await by.send(method, filledPath(path, params), { rawBody, headers });
      const isExpected = outcome === 'taken' ? status < 500 : status === Number(outcome) || isTooLargeToSend(rawBody);
      if (!isExpected) this.#violations.add(`answered ${status} instead of ${outcome}: ${nameOf(draw)}`);
    } catch (error) {
      this.#violations.add(`${error}: ${nameOf(draw)}`);
    }
    const milliseconds = performance.now() - before;
    this.#sent += 1;
    this.#answerMilliseconds = Math.max(this.#answerMilliseconds, milliseconds);
    if (milliseconds > LONGEST_MILLISECONDS) this.#violations.add(`answered in ${milliseconds} ms: ${nameOf(draw)}`);
  }

  figures() {
    return {
      bodies: this.bodies,
      sent: this.#sent,
      unpackedMegabytes: Math.round(this.#unpackedBytes / MEBIBYTE),
      packedMegabytes: Math.round(this.#packedBytes / MEBIBYTE),
      outcomes: Object.fromEntries([...this.#outcomes].sort()),
      longestProcessorMilliseconds: Math.round(this.#processorMilliseconds),
      longestAnswerMilliseconds: Math.round(this.#answerMilliseconds),
      dearest: this.#dearest,
      endedFunctions: this.#endedFunctions,
      violations: this.#violations.kept,
    };
  }
}

function nameOf({ endpoint, kind, member, bytes, isPacked, isMixed }: Draw): string {
  return `${endpoint.operationId}, ${kind} in ${member}, ${bytes} bytes${isPacked ? ', packed' : ''}${isMixed ? ', beside the example' : ''}`;
}

function packed({ isPacked }: Draw, text: string): Buffer {
  return isPacked ? gzipSync(text, { level: 1 }) : Buffer.from(text);
}

/** The gateway hands on an event of 6 MB, in which the body is a text inside of JSON or Base64. */
function isTooLargeToSend({ length }: Uint8Array): boolean {
  return length > 3 * MEBIBYTE;
}

async function outcomeOf({ endpoint, isPacked }: Draw, body: Buffer): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(isPacked && { 'content-encoding': 'gzip' }) };
  try {
    const event = { headers, body: body.toString('base64'), isBase64Encoded: true };
    validateBody(endpoint.body ?? v.unknown(), await readBody({ event }, endpoint));
    return 'taken';
  } catch (error) {
    return error instanceof Problem ? String(STATUS_OF_KIND[PROBLEMS[error.code].kind]) : String(error);
  }
}

/** What JSON and the schema say of a text of this size is known without our own reading of it. */
const KNOWN_BYTES = 100_000;

function allowedOutcomes({ endpoint }: Draw, text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > limitOf(endpoint)) return ['413'];
  if (bytes > KNOWN_BYTES) return ['taken', '400', '413', '422'];
  if (text === '' && endpoint.bodyOptional) return ['taken'];
  const value = parsed(text);
  if (value === undefined || depthOf(value) > MAX_DEPTH) return ['400'];
  return [endpoint.body && !Array.isArray(value) && v.is(endpoint.body, value) ? 'taken' : '422'];
}

const MAX_DEPTH = 32;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest, each) => Math.max(deepest, depthOf(each)), 0);
}
