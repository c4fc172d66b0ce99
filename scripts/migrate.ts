import { parseArgs } from 'node:util';
import { connect } from './connect.ts';

/**
 * `npm run migrate`: brings a table to the layout that this version of the service needs (`migration.ts`). It works
 * on the local cloud whose data is in `DATA_DIR`; that cloud also migrates by itself when it starts. With `--table
 * NAME` and AWS credentials it works in the cloud.
 */

try {
  const { table } = parseArgs({ options: { table: { type: 'string' } } }).values;
  connect(table);
  const { migrate } = await import('./migration.ts');
  await migrate({ print: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message || error.name : String(error));
  process.exitCode = 1;
}
