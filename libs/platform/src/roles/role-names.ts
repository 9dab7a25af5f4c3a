import pg from 'pg';

/** The schema of the read models: their tables belong to the projector, everything else to the owner. */
export const readModelSchema = 'read_models';

export type RoleNames = Readonly<
  Record<'owner' | 'api' | 'projector', string> & {
    /** Of the SQL console: those that exist, reading first. */
    console: readonly string[];
  }
>;

/** A name as SQL writes it. */
export const name = pg.escapeIdentifier;
