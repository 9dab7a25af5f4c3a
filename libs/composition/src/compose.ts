import type {
  DueDates,
  Effect,
  EventTypeDefinition,
  EventTypes,
  Projection,
  Reaction,
} from '@tapedeck/eventing';
import type { DatabaseUrls, ProjectorConfig } from './config.ts';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';

/** Reads the address of a database from the configuration. */
export type DatabaseUrl = (config: DatabaseUrls) => string;

/** The settings that reactions put into their commands. */
export type ReactionSettings = Pick<ProjectorConfig, 'GRACE_DAYS'>;

/** What one module contributes to every process. `Ports` are the connections to the outside world. */
export type ModuleParts<DatabaseName extends string = string, Ports = unknown> = Readonly<{
  name: string;
  /** By the name that projections and migrations use. */
  databases?: Readonly<Partial<Record<DatabaseName, DatabaseUrl>>>;
  eventTypes?: EventTypes;
  projections?: readonly Projection[];
  reactions?: (settings: ReactionSettings) => readonly Reaction[];
  /** Only a process that has the ports can make them: what replays the tape has none. */
  effects?: (ports: Ports) => readonly Effect[];
  /** What this module adds to the effects of all modules. */
  aroundEffect?: (effect: Effect) => Effect;
  dueDates?: readonly DueDates[];
  /** Tables that are not read models. */
  migrations?: readonly Migration[];
  /** What the processes may do with those tables; read models need none. */
  grants?: readonly Grant[];
}>;

export type Composition<DatabaseName extends string, Ports = unknown> = Readonly<{
  databases: Readonly<Record<DatabaseName, DatabaseUrl>>;
  eventTypes: EventTypes;
  projections: readonly Projection[];
  reactions: (settings: ReactionSettings) => readonly Reaction[];
  effects: (ports: Ports) => readonly Effect[];
  dueDates: readonly DueDates[];
  migrations: readonly Migration[];
  grants: readonly Grant[];
}>;

type Claim = (kind: string, name: string, module: string) => void;

/** Refuses a part whose kind and name another module contributes too. */
const createClaim =
  (owners: Map<string, string>): Claim =>
  (kind, name, module) => {
    const owner = owners.get(`${kind} ${name}`);
    if (owner !== undefined) {
      throw new Error(`The modules ${owner} and ${module} both contribute the ${kind} ${name}: rename one.`);
    }
    owners.set(`${kind} ${name}`, module);
  };

const assertTypesKnown = (user: string, types: readonly string[], eventTypes: EventTypes): void => {
  const unknown = types.find((type) => !Object.hasOwn(eventTypes, type));
  if (unknown === undefined) return;
  throw new Error(`${user} reads the event type ${unknown}, which no module contributes.`);
};

const assertDueDatesComplete = ({ projections, dueDates }: Parts): void => {
  for (const { name, projection, table, database = 'tapedeck' } of dueDates) {
    const filled = projections.find((one) => one.name === projection && one.database === database);
    if (filled?.tables.some((one) => one.name === table)) continue;
    throw new Error(
      `The due dates ${name} are read from the table ${table} of the projection ${projection} in ${database}, which no module contributes.`,
    );
  }
};

type Parts = Omit<Composition<string>, 'effects' | 'reactions'>;

/** @throws Error when a part needs something that no module contributes */
const assertComplete = (parts: Parts): void => {
  const { databases, eventTypes, projections, migrations, grants } = parts;
  const assertDatabase = (user: string, database: string): void => {
    if (Object.hasOwn(databases, database)) return;
    throw new Error(`${user} uses the database ${database}, which no module contributes.`);
  };
  for (const { name, database, types } of projections) {
    assertDatabase(`The projection ${name}`, database);
    assertTypesKnown(`The projection ${name}`, types, eventTypes);
  }
  for (const { id, database } of migrations) assertDatabase(`The migration ${id}`, database);
  for (const { on, database } of grants) assertDatabase(`The grant on ${on}`, database);
  assertDueDatesComplete(parts);
};

/**
 * Puts the parts of all modules together.
 * @throws Error that names both modules when they contribute parts of the same kind and name, and that names the part that
 * needs a database, an event type or a table that no module contributes. `reactions` and `effects` throw the same errors for
 * theirs.
 */
export const compose = <DatabaseName extends string, Ports = unknown>(
  modules: readonly ModuleParts<DatabaseName, Ports>[],
): Composition<DatabaseName, Ports> => {
  const owners = new Map<string, string>();
  const claim = createClaim(owners);
  const databases: Record<string, DatabaseUrl> = {};
  const eventTypes: Record<string, EventTypeDefinition> = {};
  for (const module of modules) {
    for (const [name, url] of Object.entries<DatabaseUrl | undefined>(module.databases ?? {})) {
      claim('database', name, module.name);
      if (url) databases[name] = url;
    }
    for (const [type, definition] of Object.entries(module.eventTypes ?? {})) {
      claim('event type', type, module.name);
      eventTypes[type] = definition;
    }
    for (const { name } of module.projections ?? []) claim('projection', name, module.name);
    // All have a checkpoint under their name.
    for (const part of ['projections', 'dueDates'] as const)
      for (const { name } of module[part] ?? []) claim('checkpoint', name, module.name);
    for (const { id } of module.migrations ?? []) claim('migration', id, module.name);
    for (const { on, database } of module.grants ?? [])
      claim('grant', `on ${on} in ${database}`, module.name);
  }
  const parts = {
    // `DatabaseName` consists of the names that the modules contribute.
    databases: databases as Record<DatabaseName, DatabaseUrl>,
    eventTypes,
    projections: modules.flatMap(({ projections = [] }) => projections),
    dueDates: modules.flatMap(({ dueDates = [] }) => dueDates),
    migrations: modules.flatMap(({ migrations = [] }) => migrations),
    grants: modules.flatMap(({ grants = [] }) => grants),
  };
  assertComplete(parts);
  const assertUsable = <Part extends Reaction | Effect>(
    kind: 'reaction' | 'effect',
    partsOf: (module: ModuleParts<DatabaseName, Ports>) => readonly Part[],
    claimName: Claim,
  ): readonly Part[] =>
    modules.flatMap((module) =>
      partsOf(module).map((part) => {
        claimName('checkpoint', part.name, module.name);
        assertTypesKnown(`The ${kind} ${part.name}`, part.types, eventTypes);
        return part;
      }),
    );
  const reactionsWith = (settings: ReactionSettings, claimName: Claim): readonly Reaction[] =>
    assertUsable('reaction', (module) => module.reactions?.(settings) ?? [], claimName);
  // Their names and types do not depend on the settings.
  reactionsWith({ GRACE_DAYS: 0 }, claim);
  const aroundEffect = (effect: Effect): Effect =>
    modules.reduce((inner, module) => module.aroundEffect?.(inner) ?? inner, effect);
  return {
    ...parts,
    reactions: (settings) => reactionsWith(settings, () => {}),
    effects: (ports) =>
      assertUsable('effect', (module) => module.effects?.(ports) ?? [], createClaim(new Map(owners))).map(
        aroundEffect,
      ),
  };
};
