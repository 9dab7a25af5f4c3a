import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tapedeck/kernel';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { EventTypes } from '../event-types.ts';
import { liftData } from '../store/with-event-types.ts';

type Golden = Readonly<{ type: string; version: number; file: string }>;

const goldensOf = (types: EventTypes): readonly Golden[] =>
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
export const goldenDifferences = (folder: URL | string, types: EventTypes): readonly string[] => {
  const expected = new Set(goldensOf(types).map(({ file }) => file));
  const there = new Set(readdirSync(folderOf(folder)));
  return [
    ...[...expected].filter((file) => !there.has(file)).map((file) => `${file} is missing`),
    ...[...there].filter((file) => !expected.has(file)).map((file) => `${file} belongs to no event type`),
  ];
};

/** The data of a golden file, lifted to the current version. */
export const readGolden = (
  folder: URL | string,
  types: EventTypes,
  type: string,
  version: number,
): JsonObject => {
  const definition = types[type];
  if (!definition) throw new Error(`There is no event type ${type}.`);
  const text = readFileSync(new URL(`${type}.v${version}.json`, folderOf(folder)), 'utf8');
  return liftData(JSON.parse(text) as JsonObject, version, definition);
};

/**
 * Tests that every stored version of every event type can still be read: `FavouriteAdded.v1.json` holds the
 * data of that version, and all files of a type state the same fact, so that each reads as the newest one.
 * With `today`, they also read as these values, which the compiler checks against the room's event types.
 *
 * @example
 * goldenEvents(new URL('golden/', import.meta.url), favouriteEvents);
 */
export const goldenEvents = (
  folder: URL | string,
  types: EventTypes,
  today?: Readonly<Record<string, JsonObject>>,
): void => {
  describe('stored events', () => {
    it('have one golden file for each type and version, and no others', () => {
      expect(goldenDifferences(folder, types)).toEqual([]);
    });
    it.each(goldensOf(types))('of $file read as they do today', ({ type, version }) => {
      const newest = today?.[type] ?? readGolden(folder, types, type, types[type]?.version ?? 1);
      expect(readGolden(folder, types, type, version)).toEqual(newest);
    });
  });
};
