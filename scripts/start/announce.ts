import { DEMO_EMAIL, type Demo } from '#scripts/demo/demo.ts';
import { addDemoData } from '#scripts/demo/demo-data.ts';
import { DEMO_CREDENTIAL } from '#scripts/demo/demo-provider.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';
import { listProducts } from '#shared/contract/products/list-products.ts';

/** The words of a start. */

export function announce({ url }: Cloud, { organizationName, userName, apiKey }: Demo): void {
  console.log(`Billwright is ready at ${url}`);
  console.log(`Reference: ${url}${SERVICE.docs}`);
  if (apiKey) {
    console.log(`API key of the organization ${organizationName}, shown this once: ${apiKey}`);
    console.log(`Try: curl -H 'Authorization: Bearer ${apiKey}' ${url}${listProducts.path}`);
    return;
  }
  const owner = `--organization ${quoted(organizationName)} --user ${quoted(userName)}`;
  console.log(`The API key of the organization ${organizationName} was shown at the first start. For another:`);
  console.log(`  ${place()}npm run keys -- create ${owner} --scopes all`);
}

const place = () => (process.env.DATA_DIR ? `DATA_DIR=${quoted(process.env.DATA_DIR)} ` : '');

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export async function announceDemoData({ url }: Cloud, demo: Demo): Promise<void> {
  const isAdded = await addDemoData(url, demo, new Date());
  console.log(
    isAdded
      ? `Added a month of demo data to the organization ${demo.organizationName}.`
      : 'The demo data are there already.',
  );
}

/** @param organizationName of the demo */
export function announceIssuer({ organizationName }: Demo): void {
  const who = `--organization ${quoted(organizationName)} --email ${DEMO_EMAIL}`;
  console.log(`Token of a person who has signed in: ${place()}npm run token -- ${who}`);
}

export function announceDemoProvider(): void {
  const { accountId, accessToken } = DEMO_CREDENTIAL;
  console.log(`Remote time tracking is a demo: connect account ${accountId} with the access token ${accessToken}`);
}
