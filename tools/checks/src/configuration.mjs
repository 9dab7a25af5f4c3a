// Writes docs/configuration.md from the settings of the modules; with --check, compares it with the committed file.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsByModule } from '@tapedeck/composition/config';
import { launcherSettings } from '@tapedeck/launcher/settings';
import { root } from '@tapedeck/prepare';
import { format } from 'oxfmt';

/** @typedef {import('@tapedeck/platform/config').Setting} Setting */

const file = join(root, 'docs', 'configuration.md');

const processes = {
  api: 'API',
  projector: 'projector',
  task: 'programs',
  migrate: '`npm run migrate`',
  capture: 'capture process',
};

/** @param {Setting} setting */
const defaultOf = ({ schema, byDefault, otherwise }) => {
  if (byDefault) return `\`${byDefault}\``;
  if (otherwise !== undefined) return otherwise;
  return byDefault === '' || schema.safeParse(undefined).success ? 'none' : '**required**';
};

/** A file of docs/ is linked from there. @param {string} description */
const linked = (description) =>
  description.replaceAll(
    /\(docs\/([\w-]+\.md#([\w-]+))\)/g,
    (_all, target, rule) => `([${rule.replaceAll('-', ' ')}](${target}))`,
  );

/** @param {readonly (readonly string[])[]} rows */
const table = (rows) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** @param {string} module @param {Readonly<Record<string, Setting>>} settings */
const section = (module, settings) => {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\`${setting.isSecret ? ' (secret)' : ''}`,
    defaultOf(setting),
    linked(setting.description),
    setting.readBy.map((reader) => processes[reader]).join(', '),
  ]);
  const head = [
    ['variable', 'default', 'meaning', 'read by'],
    ['---', '---', '---', '---'],
  ];
  return `## ${module}\n\n${table([...head, ...rows])}`;
};

const launcher = table([
  ['variable', 'default', 'meaning'],
  ['---', '---', '---'],
  ...launcherSettings.map(({ name, byDefault, description }) => [`\`${name}\``, byDefault, description]),
]);

const page = `# Configuration

<!-- Written by npm run build:configuration from the settings of the modules (libs/*/src/settings.ts). -->

A deployment sets these variables in the environment of each process; an empty one counts as missing. A wrong value ends the
start with one sentence that names the variable. \`npm start\` sets by itself what is required: an embedded database,
stand-ins for outside services, and secrets that it generates once and keeps in \`.data/secrets.json\`; what is configured
replaces that. \`docker-compose.yml\` gives each process only what it reads, from the variables in
\`.env.example\`.

Limits of rates are \`N/s\`, \`N/min\` or \`N/h\`. "Programs" are those that work on the tape and end, such as \`npm run import\`.

${Object.entries(settingsByModule)
  .map(([module, settings]) => section(module, settings))
  .join('\n\n')}

## npm start

${launcher}
`;
const { code: text } = await format(file, page);
if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    process.stderr.write(
      'docs/configuration.md is out of date: run npm run build:configuration and commit it.\n',
    );
    process.exit(1);
  }
} else await writeFile(file, text);
