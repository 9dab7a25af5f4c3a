/** What the feed says of itself; pino has this shape. */
export type FeedLogger = Readonly<
  Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
>;
