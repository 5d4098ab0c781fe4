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
  // Sources import each other as '.js', as Node wants it; under jest they are the '.ts' files themselves.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Real servers share two cores: two files at a time, and a generous limit for each test.
  maxWorkers: 2,
  testTimeout: 120_000,
  globalSetup: '<rootDir>/test/support/global-setup.js',
};
