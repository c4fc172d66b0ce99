import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { runCommand, UsageError } from './command-line.ts';
import { readInstanceFile } from './local/instance-file.ts';
import { REGION } from './local/names.ts';

/** `npm run invoke -- FUNCTION 'EVENT JSON'`: invokes a function of the running local cloud (`DATA_DIR`). */

const USAGE = "Usage: npm run invoke -- FUNCTION 'EVENT JSON'";

async function main([functionName, event = '{}']: string[]): Promise<void> {
  if (!functionName) throw new UsageError('Name the function.');
  if (!isJson(event)) throw new UsageError('The event is not JSON.');
  const dataDir = process.env.DATA_DIR || '.local';
  const instance = readInstanceFile(dataDir);
  if (!instance) throw new Error(`No local cloud runs on ${dataDir}: npm start makes one run.`);
  const { awsEndpoint, adminCredentials } = instance;
  const client = new LambdaClient({ endpoint: awsEndpoint, region: REGION, credentials: adminCredentials });
  const invoked = await client.send(new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(event) }));
  console.log(Buffer.from(invoked.Payload ?? []).toString());
  if (invoked.FunctionError) process.exitCode = 1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

await runCommand(USAGE, () => main(process.argv.slice(2)));
