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
/** Above, it takes minutes to load and seconds to answer. */
const mostOramaRows = 100_000;

type Opening = (figures: Figures) => Contender | Promise<Contender>;

const duckDb: Opening = async (figures) => sqlContender(await openDuckDb(duckThreads), figures);
const postgres: Opening = async (figures) =>
  sqlContender(await openPostgres(await freshDatabase('bench_explorer')), figures);

/** Everybody else, loaded with these rows. Elasticsearch is in when there is a server of it. */
export const openContenders = async (figures: Figures): Promise<readonly Contender[]> => {
  const elasticsearch = process.env['ELASTICSEARCH_URL'];
  const openings: readonly Opening[] = [
    duckDb,
    postgres,
    ...(elasticsearch ? [(all: Figures) => elasticsearchContender(elasticsearch, all)] : []),
    ...(figures.ids.length <= mostOramaRows ? [oramaContender] : []),
    crossfilterContender,
    loopContender,
  ];
  const contenders: Contender[] = [];
  for (const open of openings) contenders.push(await open(figures));
  return contenders;
};

export const sayWhoIsMissing = (): void => {
  if (!process.env['ELASTICSEARCH_URL'])
    say('Elasticsearch takes no part: set ELASTICSEARCH_URL, or install Java and Maven.');
  say(`Orama takes part up to ${mostOramaRows.toLocaleString('en')} rows.`);
};
