import { lazy, Suspense, useEffect, useState, type JSX } from 'react';
import { useCommands } from '../../ui/browser/shortcuts.ts';
import { storedText } from '../../ui/browser/stored-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SchemaPanel } from './schema-panel.tsx';
import { NameDialog } from './name-dialog.tsx';
import { useSaveStatementMutation } from './saved-statements.api.ts';
import { SavedStatements } from './saved-statements.tsx';
import { SqlAnswer } from './sql-answer.tsx';
import { useSqlSchemaQuery } from './sql-console.api.ts';
import { SqlHistory } from './sql-history.tsx';
import { hideSqlErrors, refuseEmpty, useSqlConsole, type SqlConsoleView } from './use-sql-console.ts';

const SqlEditor = lazy(() => import('./sql-editor.tsx'));

/** The statement of somebody who has to sign in again. */
const draft = storedText('tapedeck.sql-draft', () => sessionStorage);

const Caution = (): JSX.Element => (
  <div className="notice notice--warn">
    <Icon name="warn" />
    <div>
      <strong>Use with caution.</strong> A statement that changes rows is a dry run at first; you confirm how
      many rows change, and say why. Every statement is recorded with your name before it is executed.
    </div>
  </div>
);

const SignInAgain = ({ href, onLeave }: Readonly<{ href: string; onLeave: () => void }>): JSX.Element => (
  <div className="notice notice--danger" role="alert">
    <Icon name="warn" />
    <div>
      Nothing was changed: to confirm a change, you must have just signed in. Sign in again, then execute the
      statement once more.
      <div className="row">
        <a className="btn btn--sm" href={href} onClick={onLeave}>
          Sign in again
        </a>
      </div>
    </div>
  </div>
);

/** Saves the statement in the editor under a name. */
const SaveButton = ({ text }: Readonly<{ text: string }>): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const [save] = useSaveStatementMutation();
  const sqlQuery = text.trim();
  return (
    <>
      <button
        className="btn btn--quiet"
        type="button"
        onClick={() => (sqlQuery === '' ? refuseEmpty() : setOpen(true))}
      >
        Save
      </button>
      <NameDialog
        isOpen={isOpen}
        title="Save the statement"
        action="Save"
        onName={(name) => save({ name, sqlQuery })}
        onClose={() => setOpen(false)}
      />
    </>
  );
};

const Actions = ({ sql, text }: Readonly<{ sql: SqlConsoleView; text: string }>): JSX.Element => (
  <div className="row">
    <button
      className="btn btn--primary"
      type="button"
      aria-busy={sql.isRunning}
      onClick={() => void sql.execute(text)}
    >
      {sql.isRunning ? 'Executing...' : 'Execute'}
    </button>
    {sql.isRunning ? (
      <button className="btn" type="button" onClick={sql.cancel}>
        Cancel
      </button>
    ) : (
      <button className="btn" type="button" onClick={() => void sql.plan(text)}>
        Show the plan
      </button>
    )}
    <SaveButton text={text} />
    <span className="hint push">Ctrl+Enter executes</span>
  </div>
);

export type SqlWorkbenchProps = Readonly<{
  signInHref: string;
  /** Replaces the statement whenever it is another object. */
  chosen?: Readonly<{ text: string }>;
}>;

/** A statement and what becomes of it. */
export const SqlWorkbench = ({ signInHref, chosen }: SqlWorkbenchProps): JSX.Element => {
  const [initial] = useState(() => ({ text: draft.read() ?? '' }));
  // Only when the page is there: React may begin to render it more than once.
  useEffect(() => draft.write(null), []);
  const [text, setText] = useState(initial.text);
  const { data: schema } = useSqlSchemaQuery();
  const [inserted, setInserted] = useState<Readonly<{ text: string }> | null>(null);
  const sql = useSqlConsole();
  useCommands([
    {
      id: 'sql-execute',
      label: 'Execute the statement',
      keywords: 'run query',
      perform: () => void sql.execute(text),
    },
    {
      id: 'sql-plan',
      label: 'Show the plan of the statement',
      keywords: 'explain',
      perform: () => void sql.plan(text),
    },
  ]);
  return (
    <>
      <Caution />
      <section className="card" aria-label="Statement">
        <div className="card-pad sql-work">
          <SchemaPanel onInsert={(name) => setInserted({ text: name })} />
          <div className="stack">
            <Suspense fallback={<span className="skeleton sql-editor" aria-hidden="true" />}>
              <SqlEditor
                initial={chosen ?? initial}
                schema={schema}
                inserted={inserted}
                onChange={(typed) => {
                  setText(typed);
                  hideSqlErrors();
                }}
                onExecute={(typed) => void sql.execute(typed)}
              />
            </Suspense>
            <Actions sql={sql} text={text} />
          </div>
        </div>
      </section>
      {sql.needsSignIn && <SignInAgain href={signInHref} onLeave={() => draft.write(text)} />}
      {sql.executed && <SqlAnswer executed={sql.executed} onCommit={sql.commit} />}
    </>
  );
};

/** `/admin/sql`: statements on the catalogue, each of them recorded before it is executed. */
export const SqlConsole = ({ signInHref }: Readonly<{ signInHref: string }>): JSX.Element => {
  const [chosen, setChosen] = useState<Readonly<{ text: string }>>();
  const choose = (text: string): void => setChosen({ text });
  return (
    <main className="wrap member-page" id="main">
      <div>
        <h1>SQL Console</h1>
        <p className="meta">PostgreSQL statements on the catalogue of strategies.</p>
      </div>
      <SqlWorkbench signInHref={signInHref} {...(chosen && { chosen })} />
      <div className="sql-lists">
        <SqlHistory onChoose={choose} />
        <SavedStatements onChoose={choose} />
      </div>
    </main>
  );
};
