import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import temporal from 'eslint-plugin-temporal';
import jest from 'eslint-plugin-jest';
import prettier from 'eslint-config-prettier';

const sizeLimits = {
  'max-lines': ['error', { max: 250, skipComments: true, skipBlankLines: true }],
  'max-lines-per-function': ['error', { max: 50, skipComments: true, skipBlankLines: true }],
  'max-params': ['error', 3],
};

export default defineConfig(
  { ignores: ['dist/**', '.cache/**', '.holdfast/**', 'corpus/**', '**/*.js', '**/*.mjs', '**/*.cjs'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...sizeLimits,
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreVoidReturningFunctions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['workflows/**/*.ts'],
    extends: [temporal.configs.workflow],
    rules: {
      'temporal/workflow-no-floating-promises': 'off', // flags every setHandler(); the typed rule above covers it
      'temporal/workflow-condition-timeout-style': 'off', // entity workflows wait without limit
      'temporal/workflow-duration-format': 'off', // policy durations are computed numbers
      'temporal/workflow-no-date-now-tight-loop': 'off', // it takes any two calls in a file for a loop
      'temporal/workflow-replay-testing-required-comment': 'off', // test/replay covers every workflow
      '@typescript-eslint/no-unnecessary-type-arguments': 'off', // conflicts with temporal/workflow-require-explicit-payload-types
      'no-restricted-imports': [
        'error',
        { patterns: ['@sentry/*', 'node:*', '@temporalio/client', '@temporalio/worker'] },
      ],
    },
  },
  {
    files: ['activities/**/*.ts'],
    // These know nothing of Temporal: they throw errors of their own and take a callback; the activities heartbeat.
    ignores: ['activities/{audio,corpus,feed,providers,source,store}/**'],
    extends: [temporal.configs.activity],
    // The folder also holds what activities are made of; the rule takes every exported helper for an activity.
    rules: {
      'temporal/activity-prefer-single-object-args': 'off',
      'temporal/activity-heartbeat-in-long-loops': 'off', // heartbeats come from timers and callbacks, not from loops
    },
  },
  { files: ['workers/**/*.ts'], extends: [temporal.configs.worker] },
  {
    // The environment is read where a process starts, and nowhere else.
    files: ['src/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Take it as an argument.' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'process',
        'fetch',
        'setTimeout',
        'setInterval',
        'crypto',
        'Buffer',
        'performance',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take nowMs as an argument.' },
        { object: 'Math', property: 'random', message: 'Take the random number as an argument.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take nowMs as an argument.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: { 'max-lines-per-function': 'off', 'no-console': 'off', 'jest/expect-expect': 'off' },
  },
  { files: ['cli/**/*.ts', 'local-models/**/*.ts', 'setup/**/*.ts'], rules: { 'no-console': 'error' } },
  prettier,
);
