// The programs that a launcher starts.

/** Their compiled main files. */
export const compiledPrograms = {
  api: 'apps/api/dist/main.js',
  projector: 'apps/projector/dist/main.js',
  demo: 'apps/projector/dist/fill-demo.js',
  role: 'apps/projector/dist/role.js',
  migrate: 'apps/projector/dist/migrate.js',
  sandbox: 'apps/sandbox/dist/main.js',
  capture: 'apps/capture/dist/main.js',
};

/** @typedef {keyof typeof compiledPrograms} ProgramName */

export const bundleFolder = 'dist';

/** The program as one file and a few that it shares with the others. @param {ProgramName} name */
export const bundleOf = (name) => `${bundleFolder}/${name}.js`;
