import { runCommand } from './command-line.ts';
import { readInstanceFile } from './local/instance-file.ts';
import { REGION } from './local/names.ts';

/** `npm run invoke -- FUNCTION 'EVENT JSON'`: invokes a function of the running local cloud (`DATA_DIR`). */

const USAGE = "Usage: npm run invoke -- FUNCTION 'EVENT JSON'";

class InvokeError extends Error {}

async function main([functionName, event = '{}']: string[]): Promise<void> {
  if (!functionName) throw new InvokeError(USAGE);
  if (!isJson(event)) throw new InvokeError(`The event is not JSON. ${USAGE}`);
  const dataDir = process.env.DATA_DIR || '.local';
  const instance = readInstanceFile(dataDir);
  if (!instance) throw new InvokeError(`No local cloud runs on ${dataDir}: npm start makes one run.`);
  const { awsEndpoint, adminCredentials } = instance;
  const response = await fetch(`${awsEndpoint}/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`, {
    method: 'POST',
    // The local cloud reads from the signature who calls, and does not check it.
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${adminCredentials.accessKeyId}/20260101/${REGION}/lambda/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: event,
  }).catch(() => {
    throw new InvokeError(`The local cloud on ${dataDir} does not answer.`);
  });
  const text = await response.text();
  if (!response.ok) throw new InvokeError(messageOf(text));
  console.log(text);
  if (response.headers.has('x-amz-function-error')) process.exitCode = 1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function messageOf(text: string): string {
  const body: unknown = JSON.parse(text);
  return typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : text;
}

const explanation = (error: unknown) => (error instanceof InvokeError ? error.message : error);

await runCommand(USAGE, () => main(process.argv.slice(2)), explanation);
