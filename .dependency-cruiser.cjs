/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'src-is-pure', severity: 'error', from: { path: '^src' }, to: { pathNot: '^src|node_modules/zod' } },
    {
      name: 'workflow-reach',
      severity: 'error',
      from: { path: '^workflows' },
      to: { path: '^(activities|workers|cli|setup|local-models)', reachable: true },
    },
    {
      name: 'workflow-packages',
      severity: 'error',
      from: { path: '^workflows' },
      to: { pathNot: '^(workflows|src)|node_modules/(@temporalio/(workflow|common|interceptors-opentelemetry)|zod)' },
    },
    {
      name: 'activities-do-not-start-things',
      severity: 'error',
      from: { path: '^activities' },
      to: { path: '^(workflows|workers|cli|setup|local-models)' },
    },
    {
      name: 'setup-stands-alone',
      severity: 'error',
      from: { path: '^setup' },
      to: { path: '^(workflows|activities|workers|cli|local-models)' },
    },
    {
      name: 'local-models-is-a-service-of-its-own',
      severity: 'error',
      from: { path: '^local-models' },
      to: { path: '^(workflows|activities|workers|cli)' },
    },
    { name: 'cli-is-on-top', severity: 'error', from: { pathNot: '^(cli|test|bench)' }, to: { path: '^cli' } },
    {
      name: 'workflows-only-by-path',
      severity: 'error',
      from: { pathNot: '^(workflows|test|bench)' },
      to: { path: '^workflows' },
    },
    {
      name: 'nothing-imports-test',
      severity: 'error',
      from: { pathNot: '^(test|bench)' },
      to: { path: '^(test|bench)' },
    },
  ],
  options: {
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
