import path from 'node:path';

/** How to start a file of this folder as a process: as it stands under tsx, or compiled. */
export function entry(name: string): { readonly file: string; readonly execArgv: readonly string[] } {
  const extension = path.extname(__filename);
  const register = path.join(__dirname, '..', 'bin', 'register.js');
  return { file: path.join(__dirname, name + extension), execArgv: extension === '.ts' ? ['-r', register] : [] };
}
