import type { EventTypeDefinition, EventTypes, Projection } from '@tapedeck/eventing';
import type { DatabaseUrls } from '@tapedeck/platform/config';
import type { Grant } from '@tapedeck/platform/database-roles';
import type { Migration } from '@tapedeck/platform/migrations';

/** Reads the address of a database from the configuration. */
export type DatabaseUrl = (config: DatabaseUrls) => string;

/** What one module contributes to every process. */
export type ModuleParts<DatabaseName extends string = string> = Readonly<{
  name: string;
  /** By the name that projections and migrations use. */
  databases?: Readonly<Partial<Record<DatabaseName, DatabaseUrl>>>;
  eventTypes?: EventTypes;
  projections?: readonly Projection[];
  /** Tables that are not read models. */
  migrations?: readonly Migration[];
  /** What the processes may do with those tables; read models need none. */
  grants?: readonly Grant[];
}>;

export type Composition<DatabaseName extends string> = Readonly<{
  databases: Readonly<Record<DatabaseName, DatabaseUrl>>;
  eventTypes: EventTypes;
  projections: readonly Projection[];
  migrations: readonly Migration[];
  grants: readonly Grant[];
}>;

/** @throws Error when a projection or a migration needs something that no module contributes */
const assertComplete = ({
  databases,
  eventTypes,
  projections,
  migrations,
  grants,
}: Composition<string>): void => {
  const assertDatabase = (user: string, database: string): void => {
    if (Object.hasOwn(databases, database)) return;
    throw new Error(`${user} uses the database ${database}, which no module contributes.`);
  };
  for (const { name, database, types } of projections) {
    assertDatabase(`The projection ${name}`, database);
    const unknown = types.find((type) => !Object.hasOwn(eventTypes, type));
    if (unknown === undefined) continue;
    throw new Error(`The projection ${name} reads the event type ${unknown}, which no module contributes.`);
  }
  for (const { id, database } of migrations) assertDatabase(`The migration ${id}`, database);
  for (const { on, database } of grants) assertDatabase(`The grant on ${on}`, database);
};

/**
 * Puts the parts of all modules together.
 * @throws Error that names both modules when they contribute parts of the same kind and name, and that names the
 * projection or migration that needs a database or an event type that no module contributes
 */
export const compose = <DatabaseName extends string>(
  modules: readonly ModuleParts<DatabaseName>[],
): Composition<DatabaseName> => {
  const owners = new Map<string, string>();
  const claim = (kind: string, name: string, module: string): void => {
    const owner = owners.get(`${kind} ${name}`);
    if (owner !== undefined) {
      throw new Error(`The modules ${owner} and ${module} both contribute the ${kind} ${name}: rename one.`);
    }
    owners.set(`${kind} ${name}`, module);
  };
  const databases: Record<string, DatabaseUrl> = {};
  const eventTypes: Record<string, EventTypeDefinition> = {};
  const projections: Projection[] = [];
  const migrations: Migration[] = [];
  const grants: Grant[] = [];
  for (const module of modules) {
    for (const [name, url] of Object.entries<DatabaseUrl | undefined>(module.databases ?? {})) {
      claim('database', name, module.name);
      if (url) databases[name] = url;
    }
    for (const [type, definition] of Object.entries(module.eventTypes ?? {})) {
      claim('event type', type, module.name);
      eventTypes[type] = definition;
    }
    for (const projection of module.projections ?? []) {
      claim('projection', projection.name, module.name);
      projections.push(projection);
    }
    for (const migration of module.migrations ?? []) {
      claim('migration', migration.id, module.name);
      migrations.push(migration);
    }
    for (const grant of module.grants ?? []) {
      claim('grant', `on ${grant.on} in ${grant.database}`, module.name);
      grants.push(grant);
    }
  }
  assertComplete({ databases, eventTypes, projections, migrations, grants });
  return {
    // `DatabaseName` consists of the names that the modules contribute.
    databases: databases as Record<DatabaseName, DatabaseUrl>,
    eventTypes,
    projections,
    migrations,
    grants,
  };
};
