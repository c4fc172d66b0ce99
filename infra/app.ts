import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { defineBillwright } from './billwright.ts';
import { tables } from './functions.ts';

/** The app that `cdk.json` names, of the functions that `npm run build` bundled. */
const app = new App();
defineBillwright(app, { ...tables, bundles: join(import.meta.dirname, '..', 'dist', 'functions') });
// As CDK does with its own rules.
if (process.env.CDK_VALIDATION !== 'false') (await import('./rules.ts')).checkRules(app);
