import { bootCloud } from '#scripts/local/cloud.ts';

/** Boots a cloud in a process of its own, for tests that kill it: `run.ts ASSEMBLY DATA_DIR`. */
const [assembly = '', dataDir = ''] = process.argv.slice(2);
await bootCloud({ assembly, dataDir, port: 0 });
console.log('ready');
