/** Runs once before all test files. */
export default function globalSetup(): void {
  process.env['HOLDFAST_TEST'] = '1';
}
