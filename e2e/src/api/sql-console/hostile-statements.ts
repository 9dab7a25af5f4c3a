const one = `(select url_id from strategies order by 1 limit 1)`;
const cte = 'with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t';

/**
 * Statements by the group of what they try. What each path answers: `ok`, or the beginnings of SQL states. Where there is
 * one answer it is that of both, otherwise the read path's and the write path's.
 */
export type Hostile = readonly [
  group: string,
  statements: readonly string[],
  read: readonly string[],
  write?: readonly string[],
];

const refused = ['42', '0A', '25', '22', '2F', '3F', '55', '58', '57014'];

export const hostile: readonly Hostile[] = [
  [
    '1 leave the transaction',
    ['COMMIT; SET TRANSACTION READ WRITE; DELETE FROM strategies', 'ROLLBACK', 'END', `SELECT 1; COMMIT`],
    ['42601'],
  ],
  ['2 two statements', ['SELECT 1; SELECT 2', 'SELECT 1;; DELETE FROM strategies'], ['42601']],
  ['3 read write', ['SET TRANSACTION READ WRITE', 'START TRANSACTION READ WRITE'], ['42601']],
  ['4 session characteristics', ['SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE'], ['42601']],
  [
    '5 no time limit',
    ['SET statement_timeout=0', 'SET LOCAL statement_timeout=0', 'RESET ALL', 'SHOW ALL'],
    ['42601'],
  ],
  [
    '6 set_config',
    [
      `SELECT set_config('work_mem','2GB',false)`,
      `SELECT set_config('statement_timeout','0',false), pg_sleep(30)`,
    ],
    ['42501'],
  ],
  [
    '7 role by set_config',
    [`SELECT set_config('role','none',false), query_to_xml('select * from pg_authid',true,true,'')`],
    ['42501'],
  ],
  [
    '8 file by query_to_xml',
    [`SELECT query_to_xml('select pg_read_file(''/etc/passwd'')',true,true,'')`],
    ['42501'],
  ],
  ['9 DO', [`DO $$ BEGIN RESET ROLE; EXECUTE 'COPY (SELECT 1) TO PROGRAM ''id'''; END $$`], ['42601']],
  ['10 role', ['RESET ROLE', 'SET SESSION AUTHORIZATION postgres', 'SET ROLE tapedeck_owner'], ['42601']],
  [
    '11 DO that traps the end',
    [
      `DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(1); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$`,
    ],
    ['42601'],
  ],
  ['12 DISCARD', ['DISCARD ALL', 'DEALLOCATE ALL'], ['42601']],
  ['13 COPY out', ['COPY strategies TO STDOUT', 'COPY (SELECT 1) TO STDOUT'], ['42601']],
  ['14 COPY in', ['COPY strategies FROM STDIN'], ['42601']],
  [
    '15 COPY of files and programs',
    [`COPY strategies TO '/tmp/x'`, `COPY strategies TO PROGRAM 'id'`, `COPY strategies FROM PROGRAM 'id'`],
    ['42601'],
  ],
  [
    '16 files',
    [
      `SELECT pg_read_file('/etc/passwd')`,
      `SELECT pg_read_binary_file('PG_VERSION')`,
      `SELECT pg_ls_dir('.')`,
      `SELECT pg_stat_file('PG_VERSION')`,
      `SELECT * FROM pg_ls_logdir()`,
    ],
    ['42501'],
  ],
  [
    '17 large objects',
    [
      `SELECT lo_import('/etc/passwd')`,
      `SELECT lo_export(1, '/tmp/x')`,
      'SELECT lo_create(0)',
      `SELECT lo_from_bytea(0, 'x')`,
      `SELECT lo_put(1, 0, 'x')`,
    ],
    ['42501'],
  ],
  [
    '18 other servers',
    [
      `SELECT dblink('', '')`,
      'CREATE EXTENSION dblink',
      'CREATE SERVER s FOREIGN DATA WRAPPER w',
      'IMPORT FOREIGN SCHEMA a FROM SERVER b INTO c',
    ],
    ['42601', '42883'],
  ],
  [
    '19 write in a query',
    [
      'WITH d AS (DELETE FROM strategies RETURNING *) SELECT count(*) FROM d',
      `WITH u AS (UPDATE strategies SET title = 'x' RETURNING 1) SELECT 1`,
    ],
    ['0A000'],
    ['ok'],
  ],
  [
    '20 new tables',
    [
      'SELECT * INTO copied FROM strategies',
      'CREATE TABLE copied AS SELECT 1',
      'CREATE TEMP TABLE copied (a int)',
    ],
    ['42'],
  ],
  ['21 row locks', ['SELECT url_id FROM strategies FOR UPDATE'], ['25006', '42501'], ['ok', '42501']],
  [
    '21 table locks',
    ['LOCK TABLE strategies IN ACCESS SHARE MODE', 'LOCK TABLE strategies IN EXCLUSIVE MODE'],
    ['42601'],
  ],
  [
    '22 advisory locks',
    [
      'SELECT pg_advisory_lock(1)',
      'SELECT pg_advisory_lock_shared(1)',
      'SELECT pg_try_advisory_lock(1)',
      'SELECT pg_advisory_xact_lock(1)',
    ],
    ['42501'],
  ],
  [
    '23 sequences',
    [`SELECT nextval('captured_changes_id_seq')`, `SELECT setval('public.captured_changes_id_seq', 1)`],
    ['42'],
  ],
  [
    '24 administration',
    [
      'SELECT pg_terminate_backend(1)',
      'SELECT pg_cancel_backend(1)',
      'SELECT pg_reload_conf()',
      'SELECT pg_rotate_logfile()',
      'SELECT pg_switch_wal()',
      `SELECT pg_create_restore_point('x')`,
      `SELECT pg_create_logical_replication_slot('x','test_decoding')`,
      `SELECT pg_logical_emit_message(true,'x','y')`,
    ],
    ['42501', '55000'],
  ],
  [
    '25 secrets',
    [
      'SELECT * FROM pg_authid',
      'SELECT * FROM pg_shadow',
      'SELECT * FROM pg_user_mapping',
      'SELECT * FROM pg_hba_file_rules',
      'SELECT * FROM public.migrations',
      'SELECT * FROM strategies_v2',
    ],
    ['42'],
  ],
  ['26 transaction ids', ['SELECT pg_current_xact_id()', 'SELECT txid_current()'], ['ok']],
  ['27 notifications', ['LISTEN x', `NOTIFY x`, `SELECT pg_notify('x','y')`], ['42601', '42501']],
  [
    '28 roles and server',
    [
      `ALTER ROLE CURRENT_USER SET statement_timeout = 0`,
      `ALTER ROLE CURRENT_USER PASSWORD 'x'`,
      `ALTER SYSTEM SET fsync = off`,
      `LOAD 'auto_explain'`,
      'VACUUM',
      'CHECKPOINT',
      'CLUSTER',
      'REFRESH MATERIALIZED VIEW v',
      'TRUNCATE strategies',
      'DROP TABLE strategies',
      'GRANT ALL ON strategies TO PUBLIC',
    ],
    ['42601'],
  ],
  [
    '29 EXPLAIN ANALYZE',
    ['EXPLAIN ANALYZE DELETE FROM strategies', 'EXPLAIN DELETE FROM strategies'],
    ['42601'],
  ],
  [
    '30 prepared',
    [
      'PREPARE x AS DELETE FROM strategies',
      'EXECUTE console',
      'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
      'FETCH ALL FROM console',
      'CALL x()',
    ],
    ['42601'],
  ],
  [
    '31 limits',
    [
      cte,
      'SELECT count(*) FROM generate_series(1,1000000) a, generate_series(1,1000000) b, generate_series(1,1000000) c',
      'SELECT count(*) FROM generate_series(1,1000000000000)',
      `SELECT repeat('a',900000000)`,
      `SELECT json_agg(g) FROM generate_series(1,3000000) g`,
    ],
    ['57014', '54', '53'],
  ],
  [
    '31 regular expressions',
    [
      `SELECT repeat('a', 3000) ~ '^(a*)(a*)(a*)(a*)\\4\\3\\2\\1b$'`,
      `SELECT repeat('a', 40000) ~ '(a*)*(a*)*b'`,
    ],
    ['ok', '57014'],
  ],
  [
    '31 shapes',
    [
      `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
      `SELECT ${Array.from({ length: 1_700 }, (_, n) => n).join(',')}`,
    ],
    ['54', '42601'],
  ],
  [
    '31 long list',
    [`SELECT 1 WHERE 1 IN (${Array.from({ length: 10_000 }, (_, n) => n).join(',')})`],
    ['ok'],
  ],
  [
    '32 texts as queries',
    [
      `SELECT * FROM ts_stat('select * from pg_authid')`,
      `SELECT table_to_xml('pg_authid',true,true,'')`,
      `SELECT database_to_xml(true,true,'')`,
      `SELECT cursor_to_xml('console',1,true,true,'')`,
    ],
    ['42501'],
  ],
  [
    '32 external entity',
    [`SELECT xmlparse(document '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')::text`],
    ['ok', '0A', '22'],
  ],
  [
    '33 functions of others',
    [
      'SELECT console_end_query(gen_random_uuid(), true)',
      'SELECT public.console_end_query(gen_random_uuid(), true)',
      'SELECT public.capture_strategy_change()',
      `CREATE OPERATOR = (leftarg = int, rightarg = int, function = int4eq)`,
      `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'select 1'`,
    ],
    ['42', '0A'],
  ],
  [
    '34 spelling',
    [
      `-- a comment\nSELECT 1`,
      '/* a /* nested */ one */ SELECT 1',
      `SELECT U&"\\0075rl_id" FROM strategies`,
      'SELECT $x$;COMMIT;$x$',
      'SELECT 1 --',
      'SELECT 1;',
      '((SELECT 1))',
      'TABLE strategy_indicators',
      'VALUES (1)',
    ],
    ['ok'],
  ],
  ['34 nothing', [';', '-- only a comment', '/* only */'], ['42601']],
  [
    '36 values',
    [
      `SELECT 'NaN'::float8, 'infinity'::timestamptz, '\\x00ff'::bytea, repeat('9',1000)::numeric, '0044-03-15 BC'::date, array[1,null], row(1,'a'), 1 as a, 2 as a`,
      'SELECT',
      'SELECT FROM strategies',
    ],
    ['ok'],
  ],
  [
    'rows',
    [
      `UPDATE strategies SET title = 'x' WHERE url_id = ${one}`,
      'DELETE FROM strategies',
      `INSERT INTO strategies (url_id, title) VALUES ('AAAAAAAA', 'x')`,
      `MERGE INTO strategies s USING (SELECT 1) x ON s.url_id = ${one} WHEN MATCHED THEN DELETE`,
    ],
    ['42601'],
    ['ok'],
  ],
  [
    'rows of others',
    [
      'DELETE FROM strategies_parsed_simple',
      'INSERT INTO strategy_indicators VALUES (1, 2)',
      'DELETE FROM read_models.explorer_strategies',
      'DELETE FROM public.captured_changes',
      'DELETE FROM public.projection_checkpoints',
    ],
    refused,
  ],
];
