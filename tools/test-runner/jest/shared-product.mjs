// One running product for all test files that only read from it or use accounts of their own.
import { createServer } from 'node:http';

const start = async () => {
  const built = new URL('../../../libs/platform/dist/testing/product.js', import.meta.url);
  const { startProduct, temporaryFolder } = await import(built.href);
  const folder = temporaryFolder();
  const product = await startProduct({ dataFolder: folder.path, env: { DEMO_ACCOUNTS: 'yes' } });
  return { product, folder };
};

/**
 * Answers every request with the product's URL and data folder. The first request starts it; it runs until `stop`.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export const serveSharedProduct = async () => {
  /** @type {ReturnType<typeof start> | undefined} */
  let starting;
  const server = createServer((_request, response) => {
    starting ??= start();
    starting.then(
      ({ product: { url, dataFolder } }) => response.end(JSON.stringify({ url, dataFolder })),
      (error) =>
        response.writeHead(500).end(`The product of the browser tests did not start: ${error.message}`),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no address.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      const started = await starting?.catch(() => undefined);
      await started?.product.stop();
      started?.folder.remove();
    },
  };
};
