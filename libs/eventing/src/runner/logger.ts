/** What the runner says of itself; pino has this shape. */
export type ProjectorLogger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (details: object, message: string) => void>
>;

export const silentLogger: ProjectorLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
