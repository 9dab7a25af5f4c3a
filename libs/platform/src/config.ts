import { DomainError } from '@tapedeck/kernel';
import type * as z from 'zod';

/** What reads the environment. A task works on the tape and ends; `migrate` prepares the databases; `capture` runs a browser. */
export type Process = 'api' | 'projector' | 'task' | 'migrate' | 'capture';

/** One environment variable. */
export type Setting = Readonly<{
  schema: z.ZodType;
  /** For `docs/configuration.md`: what it is, as the continuation of its name. */
  description: string;
  readBy: readonly Process[];
  /** As it would be written in the environment. Without it the schema says whether the variable may be missing. */
  byDefault?: string;
  /** In words, for `docs/configuration.md`: what holds when the variable is missing. */
  otherwise?: string;
  isSecret?: true;
  /** Where a stand-in for an outside service can be, which others must not reach. */
  isOutsideService?: true;
  /** What the browser may use the address for, beside the product's own. */
  contentSource?: 'img-src' | 'form-action';
  /** A valid value for programs that use no outside service, such as tests. */
  placeholder?: string;
}>;

/** By the names of the variables. */
export type Settings = Readonly<Record<string, Setting>>;

type ReadBy<One extends Setting> = One['readBy'][number];

/** What a process knows of the settings. */
export type ConfigOf<All extends Settings, Reader extends Process> = Readonly<{
  [Name in keyof All as Reader extends ReadBy<All[Name]> ? Name : never]: z.output<All[Name]['schema']>;
}>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings that a module contributes.
 *
 * @example
 * export const shopSettings = defineSettings({
 *   GRACE_DAYS: { schema: days, byDefault: '14', readBy: ['projector'], description: 'how long access lasts …' },
 * });
 */
export const defineSettings = <const All extends Settings>(settings: All): All => settings;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/**
 * The settings of several modules, given by the names of the modules.
 * @throws Error that names both modules when they contribute a variable of the same name
 */
export const mergeSettings = <Modules extends Readonly<Record<string, Settings>>>(
  modules: Modules,
): Intersection<Modules[keyof Modules]> => {
  const owners = new Map<string, string>();
  for (const [module, settings] of Object.entries(modules)) {
    for (const name of Object.keys(settings)) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new Error(
          `The modules ${owner} and ${module} both contribute the setting ${name}: rename one.`,
        );
      owners.set(name, module);
    }
  }
  // One after the other they are all of them, as no name is there twice.
  return Object.assign({}, ...Object.values(modules)) as Intersection<Modules[keyof Modules]>;
};

const settingsOf = (settings: Settings, reader: Process): readonly (readonly [string, Setting])[] =>
  Object.entries(settings).filter(([, { readBy }]) => readBy.includes(reader));

/** The names of the variables that a process reads. */
export const variablesOf = (settings: Settings, reader: Process): readonly string[] =>
  settingsOf(settings, reader).map(([name]) => name);

export const badSetting = (name: string, problem: string): DomainError =>
  new DomainError('invalid', 'BAD_CONFIGURATION', `The environment variable ${name} ${problem}.`);

const readSetting = (name: string, { schema, byDefault }: Setting, given: string | undefined): unknown => {
  const text = given === undefined || given === '' ? byDefault : given;
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  throw badSetting(name, text === undefined ? 'is missing' : (result.error.issues[0]?.message ?? 'is wrong'));
};

/**
 * Reads the environment of a process; a variable that is empty counts as missing.
 * @throws DomainError BAD_CONFIGURATION: one sentence that names the variable.
 */
export const readSettings = <All extends Settings, Reader extends Process>(
  settings: All,
  reader: Reader,
  env: Environment,
): ConfigOf<All, Reader> => {
  const read = settingsOf(settings, reader).map(([name, setting]) => [
    name,
    readSetting(name, setting, env[name]),
  ]);
  // The output of each setting's schema under its name.
  return Object.freeze(Object.fromEntries(read)) as ConfigOf<All, Reader>;
};

/** An environment in which nothing is missing and no outside service can be reached. */
export const placeholdersOf = (settings: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, { placeholder }]) =>
      placeholder === undefined ? [] : [[name, placeholder]],
    ),
  );
