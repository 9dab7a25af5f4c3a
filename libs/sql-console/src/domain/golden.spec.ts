import { goldenEvents, goldenSnapshots } from '@tapedeck/eventing/testing';
import { sqlConsoleDecider } from './decide.ts';
import { sqlConsoleEvents, statementSubject, type SqlConsoleEvent } from '../events.ts';

type Samples = {
  readonly [Type in keyof typeof sqlConsoleEvents]: Extract<SqlConsoleEvent, { type: Type }>['data'];
};

const queryId = '5b1c7a52-54a1-5a5e-8f3e-0c4d6b8f7e21';
const personalSubject = statementSubject(queryId);

goldenEvents(new URL('golden/', import.meta.url), sqlConsoleEvents, {
  SqlRequested: {
    queryId,
    sql: `update strategies set title = 'Alligator' where url_id = 'S3LKflwr'`,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    kind: 'committed',
    role: 'admin',
    ip: '127.0.0.1',
    session: '0f8fad5b-d9cb-469f-a165-70867728950e',
    personalSubject,
  },
  SqlCompleted: { queryId, rowCount: 1, bytes: 612, milliseconds: 14 },
  SqlFailed: {
    queryId,
    sqlState: '42703',
    message: 'column "titel" does not exist',
    milliseconds: 9,
    personalSubject,
  },
} satisfies Samples);

const requested = (id: string): SqlConsoleEvent => ({
  type: 'SqlRequested',
  data: {
    queryId: id,
    sql: 'select 1',
    sha256: '',
    kind: 'rows',
    role: 'admin',
    ip: '127.0.0.1',
    session: null,
    personalSubject: statementSubject(id),
  },
});

goldenSnapshots(sqlConsoleDecider, new URL('golden-snapshots/sql-console.v1.json', import.meta.url), [
  requested(queryId),
  requested('7d444840-9dc0-5ad1-b245-5ffdce74fad2'),
  { type: 'SqlCompleted', data: { queryId, rowCount: 1, bytes: 612, milliseconds: 14 } },
]);
