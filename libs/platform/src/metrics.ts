import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from './listen-error.ts';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';

export const httpDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the request line to the last byte of the answer, by route template.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
});

export { listenError } from './listen-error.ts';

export type MetricsServer = Readonly<{ port: number; close: () => Promise<void> }>;

/** Those of the process itself, which has them once, however many servers it opens. */
const collectOwnMetrics = (): void => {
  if (!register.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics();
};

/** Serves `/metrics` in the text format of Prometheus on a separate port; 0 selects a free one. */
export const serveMetrics = async (port: number, host: string): Promise<MetricsServer> => {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    register.metrics().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(listenError(error, { port, host, portName: 'METRICS_PORT', hostName: 'METRICS_HOST' })),
    );
    server.listen(port, host, resolve);
  });
  collectOwnMetrics();
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
