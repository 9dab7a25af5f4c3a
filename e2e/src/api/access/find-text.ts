import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Where a text is, such as `tapedeck.public.sessions` or the path of a file. */
export type Finding = Readonly<{ text: string; place: string }>;

/** The text as bytes may contain it: in clear, in hexadecimal, and in base64 at each of its three alignments. */
const formsOf = (text: string): readonly string[] => {
  const aligned = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64url');
    // The first and last characters depend on what stands beside the text.
    return encoded.slice(offset === 0 ? 0 : 4, -4).toLowerCase();
  });
  return [text.toLowerCase(), Buffer.from(text).toString('hex'), ...aligned];
};

const textsIn = (content: string, texts: readonly string[], place: string): readonly Finding[] => {
  const lower = content.toLowerCase();
  return texts
    .filter((text) => formsOf(text).some((form) => lower.includes(form)))
    .map((text) => ({ text, place }));
};

const contentOf = (file: string): string => {
  try {
    // Every byte is one character.
    return readFileSync(file, 'latin1');
  } catch {
    // Deleted since it was listed, or a socket.
    return '';
  }
};

/** Searches every file of a folder, byte by byte. */
export const findInFiles = (folder: string, texts: readonly string[]): readonly Finding[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      return textsIn(contentOf(file), texts, file);
    });

const tablesSql = `
  select format('%I.%I', nspname, relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where relkind in ('r', 'm') and nspname not in ('information_schema', 'pg_toast')`;

const findInDatabase = async (url: string, texts: readonly string[]): Promise<readonly Finding[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found: Finding[] = [];
    const { rows: tables } = await client.query<{ name: string }>(tablesSql);
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      found.push(
        ...textsIn(rows.map(({ row }) => row).join('\n'), texts, `${new URL(url).pathname} ${name}`),
      );
    }
    await client.query('checkpoint');
    return found;
  } finally {
    await client.end();
  }
};

/** Searches the rows of every table of every database of a server, and has the server write everything to its files. */
export const findInTables = async (url: string, texts: readonly string[]): Promise<readonly Finding[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where datallowconn and not datistemplate',
  );
  await client.end();
  const found: Finding[] = [];
  for (const { datname } of rows) {
    const database = new URL(url);
    database.pathname = `/${datname}`;
    found.push(...(await findInDatabase(database.href, texts)));
  }
  return found;
};
