import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const libs = fileURLToPath(new URL('../../', import.meta.url));

const sourcesOf = (module: string): readonly string[] =>
  readdirSync(join(libs, module, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(module, 'src', file));

const modules = readdirSync(libs, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const sources = modules.flatMap(sourcesOf);
const textOf = new Map(sources.map((file) => [file, readFileSync(join(libs, file), 'utf8')]));

/** Every bus command: a class that extends `Command` in a file of `commands/`. */
const commands = sources
  .filter((file) => /\/commands\/[\w-]+\.ts$/.test(file))
  .flatMap((file) =>
    [...(textOf.get(file) ?? '').matchAll(/export class (\w+) extends Command</g)].map(
      ([, name = '']) => [name, file] as const,
    ),
  );

describe('a command', () => {
  it.each(commands)('%s is written in at most six files, all in one module', (name, file) => {
    const mention = new RegExp(`\\b${name}(Handler|Body)?\\b`);
    const written = sources.filter((source) => mention.test(textOf.get(source) ?? ''));
    const [module] = file.split('/');
    expect(written.filter((source) => !source.startsWith(`${module}/`))).toEqual([]);
    expect(written.length).toBeLessThanOrEqual(6);
  });

  it('has a handler of its own only when it needs more than its rule', () => {
    const appendsOnly = commands.filter(([, file]) => {
      const text = textOf.get(file) ?? '';
      const usesStoreOnly = text.includes('constructor(@Inject(EVENT_STORE) store: EventStore) {');
      return usesStoreOnly && (text.match(/\bawait\b/g) ?? []).length < 2;
    });
    expect(appendsOnly).toEqual([]);
  });

  it('has one handler, in its own file', () => {
    expect(commands.length).toBeGreaterThan(0);
    for (const [name, file] of commands) {
      const handlers = textOf.get(file)?.match(/@CommandHandler\(/g) ?? [];
      expect([name, handlers.length]).toEqual([name, 1]);
      expect(textOf.get(file)).toContain(`@CommandHandler(${name})`);
    }
  });
});
