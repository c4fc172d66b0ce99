import { readInstanceFile } from './local/instance-file.ts';

/**
 * Points the data modules at a table, or at the local cloud of `DATA_DIR`. They read the environment when they are
 * loaded.
 */
export function connect(table: string | undefined): void {
  if (table !== undefined) {
    process.env.TABLE_NAME = table;
    return;
  }
  const dataDir = process.env.DATA_DIR || '.local';
  const instance = readInstanceFile(dataDir);
  if (!instance) throw new Error(`No local cloud runs on ${dataDir}: start it with "npm start", or name a --table.`);
  Object.assign(process.env, instance.operatorEnvironment);
}
