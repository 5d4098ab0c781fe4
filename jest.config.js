/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs', ignoreDynamic: true },
      },
    ],
  },
  // Real servers share two cores: two files at a time, and a generous limit for each test.
  maxWorkers: 2,
  testTimeout: 120_000,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
};
