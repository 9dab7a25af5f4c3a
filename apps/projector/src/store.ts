import type { EventStore } from '@tapedeck/eventing';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import type { Config } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import { eventTypes } from './rooms.ts';

/** The tape with every room's event types, personal fields readable. */
export const openStore = (config: Config, databases: Databases): EventStore =>
  createPostgresEventStore({
    url: config.DATABASE_URL,
    types: eventTypes,
    keys: createPersonalDataKeys({ pool: databases.tapedeck, masterKey: config.PERSONAL_DATA_KEY }),
  });
