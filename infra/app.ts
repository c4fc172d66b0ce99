import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { defineBillwright } from './billwright.ts';
import { tables } from './functions.ts';

/** The app that `cdk.json` names, of the functions that `npm run build` bundled. */
defineBillwright(new App(), { ...tables, bundles: join(import.meta.dirname, '..', 'dist', 'functions') });
