import { freshDatabase } from '../databases.ts';
import { say } from '../print.ts';
import { crossfilterContender } from './crossfilter-subject.ts';
import { elasticsearchContender } from './elasticsearch-subjects.ts';
import type { Figures } from './figures.ts';
import { loopContender } from './loop-subject.ts';
import { oramaContender } from './orama-subject.ts';
import { openDuckDb, openPostgres } from './sql-databases.ts';
import { sqlContender } from './sql-subjects.ts';
import type { Contender } from './subject.ts';

export const duckThreads = 2;
/** Above this number it takes minutes to load and seconds to answer. */
const maxOramaRows = 100_000;

type OpenContender = (figures: Figures) => Contender | Promise<Contender>;

const duckDb: OpenContender = async (figures) => sqlContender(await openDuckDb(duckThreads), figures);
const postgres: OpenContender = async (figures) =>
  sqlContender(await openPostgres(await freshDatabase('bench_explorer')), figures);

/** All other engines, loaded with these rows; Elasticsearch only when a server is configured. */
export const openContenders = async (figures: Figures): Promise<readonly Contender[]> => {
  const elasticsearch = process.env['ELASTICSEARCH_URL'];
  const openings: readonly OpenContender[] = [
    duckDb,
    postgres,
    ...(elasticsearch ? [(all: Figures) => elasticsearchContender(elasticsearch, all)] : []),
    ...(figures.ids.length <= maxOramaRows ? [oramaContender] : []),
    crossfilterContender,
    loopContender,
  ];
  const contenders: Contender[] = [];
  for (const open of openings) contenders.push(await open(figures));
  return contenders;
};

export const printMissingContenders = (): void => {
  if (!process.env['ELASTICSEARCH_URL'])
    say('Without Elasticsearch: set ELASTICSEARCH_URL, or install Java and Maven.');
  say(`Orama is measured with up to ${maxOramaRows.toLocaleString('en')} rows.`);
};
