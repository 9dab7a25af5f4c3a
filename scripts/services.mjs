// `npm run services -- start|stop|status elasticsearch`: real servers without Docker, for development and tests.
import { fail, say, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

await installAll().catch(fail);
const { elasticsearchStatus, startElasticsearch, stopElasticsearch } =
  await import('@tapedeck/dev-services/elasticsearch');

const services = {
  elasticsearch: {
    variable: 'ELASTICSEARCH_URL',
    start: startElasticsearch,
    stop: stopElasticsearch,
    status: elasticsearchStatus,
  },
};

const [action = '', name = ''] = process.argv.slice(2);
const service = services[/** @type {keyof typeof services} */ (name)];
const port = process.env.SERVICE_PORT ? Number(process.env.SERVICE_PORT) : undefined;

const main = async () => {
  if (!service) throw new Error(`Which service? One of ${Object.keys(services).join(', ')}.`);
  if (action === 'start') {
    const url = await step(name, () => service.start(port === undefined ? {} : { port }));
    return say(`${service.variable}=${url}`);
  }
  if (action === 'stop') return say((await service.stop()) ? `${name} stopped` : `${name} was not running`);
  if (action === 'status') return say(await service.status());
  throw new Error('Usage: npm run services -- start|stop|status elasticsearch');
};

await main().catch(fail);
