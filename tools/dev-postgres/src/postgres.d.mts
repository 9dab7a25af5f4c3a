/** Types of `postgres.mjs`, for the tests and tools that are written in TypeScript. */
export type Server = Readonly<{
  port: number;
  url: (database: string) => string;
  /** `immediate` is a crash: nothing is written before the end. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Ends the recovery of a standby. */
  promote: () => Promise<void>;
  adopted: boolean;
  /** Contains the folder `data`. */
  folder: string;
}>;

export type StartOptions = Readonly<{
  folder: string;
  port?: number;
  settings?: Readonly<Record<string, string>>;
  log?: (line: string) => void;
}>;

export declare const startPostgres: (options: StartOptions) => Promise<Server>;
/** Deletes the server of a folder with all its data; stops it before if it runs. */
export declare const deletePostgres: (folder: string) => Promise<void>;
export declare const freePort: (preferred?: number) => Promise<number>;
