import type { EventTypeDefinition, EventTypes, Projection } from '@tapedeck/eventing';
import type { Migration } from '@tapedeck/platform/migrations';

/** What one module brings to every process. */
export type ModuleParts = Readonly<{
  name: string;
  eventTypes?: EventTypes;
  projections?: readonly Projection[];
  /** Tables that are not read models. */
  migrations?: readonly Migration[];
}>;

export type Composition = Readonly<{
  eventTypes: EventTypes;
  projections: readonly Projection[];
  migrations: readonly Migration[];
}>;

/**
 * The parts of all modules in one.
 * @throws Error that names both modules when two bring an event type, a projection or a migration of one name, and
 * that names the projection when it reads an event type that no module brings.
 */
export const compose = (modules: readonly ModuleParts[]): Composition => {
  const owners = new Map<string, string>();
  const claim = (kind: string, name: string, module: string): void => {
    const owner = owners.get(`${kind} ${name}`);
    if (owner !== undefined) {
      throw new Error(`The modules ${owner} and ${module} both bring the ${kind} ${name}: rename one.`);
    }
    owners.set(`${kind} ${name}`, module);
  };
  const eventTypes: Record<string, EventTypeDefinition> = {};
  const projections: Projection[] = [];
  const migrations: Migration[] = [];
  for (const module of modules) {
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
  }
  for (const { name, types } of projections) {
    const unknown = types.find((type) => !Object.hasOwn(eventTypes, type));
    if (unknown === undefined) continue;
    throw new Error(`The projection ${name} reads the event type ${unknown}, which no module brings.`);
  }
  return { eventTypes, projections, migrations };
};
