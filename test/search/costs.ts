import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Endpoint, filledPath, isOfPlatform, parameterNames } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { COSTLY_BODIES, outcomeOf } from '#test/support/costly-bodies.ts';
import { given, type User } from '#test/support/given.ts';
import { membersOf } from '#test/support/random-requests.ts';
import { resourceOf } from '#test/support/resources.ts';
import { Findings } from './findings.ts';

const LONGEST_MILLISECONDS = 3_000;

/** One of so many is sent over HTTP, where it takes longer than in this process. */
const SENT_SHARE = 20;

const BATCH = 500;

const MEBIBYTE = 1_048_576;

const endpoints = routes.filter(
  ({ body, scope, takesKeys }) => body && scope !== null && takesKeys !== false && !isOfPlatform(scope),
);

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

/**
 * Bodies drawn for what they cost rather than for what they say: deep, wide, long, full of faults, packed a thousandfold, within the limits and
 * beyond. All are read and validated in this process, where the time of the processor is known, and some are sent over HTTP too. No answer takes
 * longer than three seconds, no function ends, a bad body gets its 4xx, and over HTTP the same one.
 */
export async function searchCosts(cloud: Cloud, count: number, seed: number) {
  const scales = new Scales();
  const stopWatching = cloud.logs.subscribe(({ functionName, record }) => {
    if (record.message === 'Invocation failed')
      scales.findings.blame(`${functionName} ended: ${JSON.stringify(record)}`);
  });
  for (let done = 0, batch = 0; done < count; batch++) {
    const by = await given.user();
    await given.connection(by);
    const draws = fc.sample(anyDraw, { numRuns: Math.min(BATCH, count - done), seed: seed + batch });
    for (const [position, draw] of draws.entries()) {
      const text = textOf(draw);
      const outcome = await scales.measure(draw, text);
      if (position % SENT_SHARE === 0) await scales.send(by, draw, text, outcome);
    }
    done += draws.length;
  }
  stopWatching();
  const { outcomes, violations, count: bodies } = scales.findings;
  return { bodies, ...scales.longest(), outcomes, violations };
}

/** Small bodies are as frequent as large ones, and the limit itself is met. */
const anyDraw: fc.Arbitrary<Draw> = fc.constantFrom(...endpoints).chain((endpoint) => {
  const limit = limitOf(endpoint);
  const size = fc.double({ min: 4, max: Math.log2(limit) + 0.2, noNaN: true }).map((power) => Math.round(2 ** power));
  return fc.record({
    endpoint: fc.constant(endpoint),
    kind: fc.constantFrom(...Object.keys(COSTLY_BODIES)),
    member: fc.constantFrom('nobody', ...membersOf(endpoint.body)),
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

const FIRST_MEMBER = /^\{"\w+":/;

function textOf({ endpoint, kind, member, bytes, isMixed }: Draw): string {
  const example = JSON.stringify(endpoint.example.body ?? {}).slice(1, -1);
  const beside = isMixed && example !== '' ? `${example},` : '';
  const made = COSTLY_BODIES[kind]?.(bytes - beside.length) ?? '';
  return made.replace(FIRST_MEMBER, () => `{${beside}${JSON.stringify(member)}:`);
}

class Scales {
  /** By what became of the bodies in this process: `taken`, or the status of the refusal. */
  readonly findings = new Findings();
  #processorMilliseconds = 0;
  #answerMilliseconds = 0;
  #costliest = '';

  /** @returns `taken`, or the status that refuses the body */
  async measure(draw: Draw, text: string): Promise<string> {
    const body = packed(draw, text);
    const before = process.cpuUsage();
    const outcome = String(await outcomeOf(draw.endpoint, body, draw.isPacked));
    const { user, system } = process.cpuUsage(before);
    const milliseconds = (user + system) / 1_000;
    if (milliseconds > this.#processorMilliseconds) {
      this.#processorMilliseconds = milliseconds;
      this.#costliest = nameOf(draw);
    }
    this.findings.countOutcome(outcome);
    if (milliseconds > LONGEST_MILLISECONDS) this.findings.blame(`takes ${milliseconds} ms: ${nameOf(draw)}`);
    if (!allowedOutcomes(draw, text).includes(outcome)) this.findings.blame(`is ${outcome}: ${nameOf(draw)}`);
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
      if (!isExpected) this.findings.blame(`answered ${status} instead of ${outcome}: ${nameOf(draw)}`);
    } catch (error) {
      this.findings.blame(`${error}: ${nameOf(draw)}`);
    }
    const milliseconds = performance.now() - before;
    this.#answerMilliseconds = Math.max(this.#answerMilliseconds, milliseconds);
    if (milliseconds > LONGEST_MILLISECONDS) this.findings.blame(`answered in ${milliseconds} ms: ${nameOf(draw)}`);
  }

  longest() {
    return {
      longestProcessorMilliseconds: Math.round(this.#processorMilliseconds),
      longestAnswerMilliseconds: Math.round(this.#answerMilliseconds),
      costliest: this.#costliest,
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

/** Up to this size, the judgement of JSON and of the schema is known without our own reading. */
const KNOWN_BYTES = 100_000;

function allowedOutcomes({ endpoint }: Draw, text: string): readonly string[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > limitOf(endpoint)) return ['413'];
  if (bytes > KNOWN_BYTES) return ['taken', '400', '413', '422'];
  if (text === '' && endpoint.bodyOptional) return ['taken'];
  const value = parsed(text);
  if (value === undefined || depthOf(value) > MAX_DEPTH) return ['400'];
  // Of numbers with more digits than a double keeps, `test/domain/json-numbers.test.ts` judges.
  return endpoint.body && !Array.isArray(value) && v.is(endpoint.body, value) ? ['taken', '422'] : ['422'];
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
