import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpDuration, serveMetrics, type MetricsServer } from './metrics.ts';

let server: MetricsServer;
beforeAll(async () => {
  server = await serveMetrics(0, '127.0.0.1');
});
afterAll(() => server.close());

describe('serveMetrics', () => {
  it('answers /metrics in the text format of Prometheus', async () => {
    httpDuration.observe({ method: 'GET', route: '/api/config', status: '200' }, 0.002);
    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('route="/api/config",status="200"');
  });

  it('says which variable to change when it cannot listen', async () => {
    await expect(serveMetrics(server.port, '127.0.0.1')).rejects.toThrow(
      `Port ${server.port} is taken by another program: choose another with METRICS_PORT.`,
    );
    await expect(serveMetrics(0, '203.0.113.1')).rejects.toThrow('METRICS_HOST is "203.0.113.1", where');
  });

  it('can be called again in the same process', async () => {
    const other = await serveMetrics(0, '127.0.0.1');
    await other.close();
    expect(other.port).not.toBe(server.port);
  });

  it('answers 404 to every other address', async () => {
    expect((await fetch(`http://127.0.0.1:${server.port}/api/config`)).status).toBe(404);
  });
});
