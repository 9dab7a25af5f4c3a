import fc from 'fast-check';

// What a run of the tests generates depends on this number only.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.TEST_SEED) });
