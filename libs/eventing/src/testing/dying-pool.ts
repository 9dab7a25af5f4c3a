import type { Pool, PoolClient } from 'pg';

const boundProperty = (target: object, name: PropertyKey): unknown => {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
};

/** Simulates a process that dies after n queries: nothing more is sent, so the server rolls back. */
export const poolDyingAfter = (pool: Pool, n: number): Pool => {
  let left = n;
  const query =
    (client: PoolClient) =>
    (...args: Parameters<PoolClient['query']>): unknown =>
      left-- > 0 || args[0] === 'rollback' ? client.query(...args) : Promise.reject(new Error('died'));
  const dyingClient = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get: (target, name) => (name === 'query' ? query(target) : boundProperty(target, name)),
    });
  return new Proxy(pool, {
    get: (target, name) =>
      name === 'connect' ? async () => dyingClient(await target.connect()) : boundProperty(target, name),
  });
};
