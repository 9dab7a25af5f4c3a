import { auditEvents } from '@tapedeck/audit/events';
import { auditProjections } from '@tapedeck/audit/projections';
import { auditEffects, type AuditPorts } from '@tapedeck/audit/reactions';
import { chartCaptureEvents } from '@tapedeck/chart-capture/events';
import { chartCaptureProjections } from '@tapedeck/chart-capture/projections';
import type { Effect } from '@tapedeck/eventing';
import { eventingGrants, eventingMigrations } from '@tapedeck/eventing/migrations';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { favouriteProjections } from '@tapedeck/favourites/projections';
import { figuresProjections } from '@tapedeck/figures/projections';
import { identityEvents, sentMailEvents } from '@tapedeck/identity/events';
import {
  identityEffects,
  type IdentityPorts,
  identityGrants,
  identityMigrations,
  identityProjections,
} from '@tapedeck/identity/projections';
import { membershipEvents } from '@tapedeck/membership/events';
import { membershipProjections } from '@tapedeck/membership/projections';
import {
  membershipDueDates,
  membershipEffects,
  membershipReactions,
  type MembershipPorts,
} from '@tapedeck/membership/reactions';
import { operationsEvents } from '@tapedeck/operations/events';
import {
  operationsGrants,
  operationsMigrations,
  operationsProjections,
} from '@tapedeck/operations/projections';
import { operationsEffects, type OperationsPorts } from '@tapedeck/operations/reactions';
import { paymentEvents } from '@tapedeck/payments/events';
import { paymentProjections } from '@tapedeck/payments/projections';
import {
  paymentDueDates,
  paymentEffects,
  paymentReactions,
  type PaymentPorts,
} from '@tapedeck/payments/reactions';
import { replayEvents } from '@tapedeck/replay/events';
import { replayProjections } from '@tapedeck/replay/projections';
import { afterReplay } from '@tapedeck/replay/reactions';
import { dailyCountGrants, dailyCountMigrations } from '@tapedeck/platform/daily-counts';
import { scheduleGrants, scheduleMigrations } from '@tapedeck/platform/schedule';
import { platformGrants, platformMigrations } from '@tapedeck/platform/tables';
import { savedSearchEvents } from '@tapedeck/saved-searches/events';
import { savedSearchProjections } from '@tapedeck/saved-searches/projections';
import {
  searchEngineGrants,
  searchEngineMigrations,
  searchEngineProjections,
} from '@tapedeck/search-engine/projections';
import { savedStatementEvents, sqlConsoleEvents } from '@tapedeck/sql-console/events';
import {
  sqlConsoleGrants,
  sqlConsoleMigrations,
  sqlConsoleProjections,
} from '@tapedeck/sql-console/projections';
import { sqlConsoleEffects, type SqlConsolePorts } from '@tapedeck/sql-console/reactions';
import { stripeEvents } from '@tapedeck/stripe/events';
import { stripeProjections } from '@tapedeck/stripe/projections';
import { strategyEvents } from '@tapedeck/strategies/events';
import {
  strategyDatabases,
  strategyGrants,
  strategyMigrations,
  strategyProjections,
} from '@tapedeck/strategies/projections';
import { strategyReactions } from '@tapedeck/strategies/reactions';
import { compose, type ModuleParts } from './compose.ts';

/** The connections of the effects. */
export type EffectPorts = IdentityPorts &
  PaymentPorts &
  MembershipPorts &
  AuditPorts &
  OperationsPorts &
  SqlConsolePorts;

const modules: readonly ModuleParts<'tapedeck' | 'catalogue', EffectPorts>[] = [
  {
    name: 'eventing',
    databases: { tapedeck: ({ DATABASE_URL }) => DATABASE_URL },
    migrations: eventingMigrations,
    grants: eventingGrants,
  },
  {
    name: 'platform',
    migrations: [...platformMigrations, ...scheduleMigrations, ...dailyCountMigrations],
    grants: [...platformGrants, ...scheduleGrants, ...dailyCountGrants],
  },
  {
    name: 'identity',
    eventTypes: { ...identityEvents, ...sentMailEvents },
    projections: identityProjections,
    effects: identityEffects,
    migrations: identityMigrations,
    grants: identityGrants,
  },
  { name: 'stripe', eventTypes: stripeEvents, projections: stripeProjections },
  {
    name: 'payments',
    eventTypes: paymentEvents,
    projections: paymentProjections,
    reactions: () => paymentReactions,
    effects: paymentEffects,
    dueDates: paymentDueDates,
  },
  {
    name: 'membership',
    eventTypes: membershipEvents,
    projections: membershipProjections,
    reactions: membershipReactions,
    effects: membershipEffects,
    dueDates: membershipDueDates,
  },
  { name: 'figures', projections: figuresProjections },
  {
    name: 'replay',
    eventTypes: replayEvents,
    projections: replayProjections,
    aroundEffect: afterReplay,
  },
  {
    name: 'strategies',
    databases: strategyDatabases,
    eventTypes: strategyEvents,
    projections: strategyProjections,
    reactions: () => strategyReactions,
    migrations: strategyMigrations,
    grants: strategyGrants,
  },
  { name: 'chart-capture', eventTypes: chartCaptureEvents, projections: chartCaptureProjections },
  {
    name: 'search-engine',
    projections: searchEngineProjections,
    migrations: searchEngineMigrations,
    grants: searchEngineGrants,
  },
  { name: 'saved-searches', eventTypes: savedSearchEvents, projections: savedSearchProjections },
  { name: 'favourites', eventTypes: favouriteEvents, projections: favouriteProjections },
  { name: 'audit', eventTypes: auditEvents, projections: auditProjections, effects: auditEffects },
  {
    name: 'operations',
    eventTypes: operationsEvents,
    projections: operationsProjections,
    effects: operationsEffects,
    migrations: operationsMigrations,
    grants: operationsGrants,
  },
  {
    name: 'sql-console',
    eventTypes: { ...sqlConsoleEvents, ...savedStatementEvents },
    projections: sqlConsoleProjections,
    effects: sqlConsoleEffects,
    migrations: sqlConsoleMigrations,
    grants: sqlConsoleGrants,
  },
];

const composition = compose(modules);

/** The module that each event type belongs to. */
export const eventCategories: Readonly<Record<string, string>> = Object.fromEntries(
  modules.flatMap(({ name, eventTypes = {} }) => Object.keys(eventTypes).map((type) => [type, name])),
);

/** What all modules contribute. The process with the connections to the outside world makes the effects. */
export const { databases, eventTypes, projections, reactions, dueDates, migrations, grants } = composition;
export const effects: (ports: EffectPorts) => readonly Effect[] = composition.effects;

export type DatabaseName = keyof typeof databases;
