import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { EventTypes } from '../event-types.ts';
import { upcastData } from '../store/with-event-types.ts';

type GoldenFile = Readonly<{ type: string; version: number; file: string }>;

const goldenFilesOf = (types: EventTypes): readonly GoldenFile[] =>
  Object.entries(types).flatMap(([type, { version }]) =>
    Array.from({ length: version }, (_, index) => ({
      type,
      version: index + 1,
      file: `${type}.v${index + 1}.json`,
    })),
  );

const folderOf = (folder: URL | string): URL => {
  const url = typeof folder === 'string' ? pathToFileURL(folder) : folder;
  return url.href.endsWith('/') ? url : new URL(`${url.href}/`);
};

/** The golden files that are missing, and those that belong to no type and version. */
export const goldenFileProblems = (folder: URL | string, types: EventTypes): readonly string[] => {
  const expected = new Set(goldenFilesOf(types).map(({ file }) => file));
  const actual = new Set(readdirSync(folderOf(folder)));
  return [
    ...[...expected].filter((file) => !actual.has(file)).map((file) => `${file} is missing`),
    ...[...actual].filter((file) => !expected.has(file)).map((file) => `${file} belongs to no event type`),
  ];
};

/** The data of a golden file, upcast to the current version. */
export const readGolden = (
  folder: URL | string,
  types: EventTypes,
  type: string,
  version: number,
): JsonObject => {
  const definition = types[type];
  if (!definition) throw new Error(`There is no event type ${type}.`);
  const text = readFileSync(new URL(`${type}.v${version}.json`, folderOf(folder)), 'utf8');
  return upcastData(JSON.parse(text) as JsonObject, version, definition);
};

/**
 * Tests that every version of every event type can still be read. The file `FavouriteAdded.v1.json` contains the data of
 * that version. All files of a type describe the same event, so after upcasting each must equal the newest one, or the
 * value in `current`, which the compiler checks against the module's event types.
 *
 * @example
 * goldenEvents(new URL('golden/', import.meta.url), favouriteEvents);
 */
export const goldenEvents = (
  folder: URL | string,
  types: EventTypes,
  current?: Readonly<Record<string, JsonObject>>,
): void => {
  describe('stored events', () => {
    it('have one golden file for each type and version, and no other files', () => {
      expect(goldenFileProblems(folder, types)).toEqual([]);
    });
    it.each(goldenFilesOf(types))('in $file are read as current ones', ({ type, version }) => {
      const newest = current?.[type] ?? readGolden(folder, types, type, types[type]?.version ?? 1);
      expect(readGolden(folder, types, type, version)).toEqual(newest);
    });
  });
};
