import fc from 'fast-check';

// `npm test` always draws the same cases, so that a test fails for a change alone.
const { FC_SEED: seed = '1' } = process.env;
fc.configureGlobal({ seed: Number(seed) });
