import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { AMZ_JSON, type Answer } from './aws-answer.ts';
import { EMULATOR_CREDENTIALS } from './dynamodb.ts';
import { REGION } from './names.ts';

/** Emulators take any signature, but DynamoDB Local wants a signature of the right form. */
const EMULATOR_AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=${EMULATOR_CREDENTIALS.accessKeyId}/20260101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;

/**
 * The emulator works on one call at a time, so this number matters to its allocator alone. With some, it maps and unmaps
 * memory for every row that is read, and a call takes up to twice as long: with three in a search of products, four in a
 * list of entries, eight in a summary of all. Of ten numbers from 1 to 16, six was best over all operations that were
 * tried, but one start differs from another.
 */
const CONNECTIONS = 6;

/** Hands calls on to the DynamoDB emulator, signed for the emulator. */
export class EmulatorClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  forward(endpoint: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const forwarded = httpRequest(
        endpoint,
        {
          agent: this.#agent,
          method: 'POST',
          headers: {
            'content-type': headers['content-type'] ?? AMZ_JSON,
            'content-length': body.length,
            'x-amz-target': headers['x-amz-target'] ?? '',
            authorization: EMULATOR_AUTHORIZATION,
            'x-amz-date': headers['x-amz-date'] ?? '20260101T000000Z',
          },
        },
        (answer) => {
          const {
            statusCode: status = 500,
            headers: { 'content-type': type = AMZ_JSON },
          } = answer;
          buffer(answer).then(
            (content) => resolve({ status, headers: { 'content-type': type }, body: content }),
            reject,
          );
        },
      );
      forwarded.once('error', reject);
      forwarded.end(body);
    });
  }

  stop(): void {
    this.#agent.destroy();
  }
}
