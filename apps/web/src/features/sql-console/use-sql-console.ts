import { emptyQueryText, type SqlAnswer } from '@tapedeck/sql-console/contract';
import { useRef, useState } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import { showError } from '../../api/succeeded.ts';
import type { Problem } from '../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../ui/toasts.tsx';
import {
  useCancelSqlMutation,
  useCommitSqlMutation,
  useExecuteSqlMutation,
  usePlanSqlMutation,
} from './sql-console.api.ts';

/** An answer, and the text of the editor that it answers. */
export type Executed = Readonly<{ answer: SqlAnswer; text: string }>;
type Outcome = Readonly<{ data?: SqlAnswer | undefined; error?: object | undefined }>;

export type SqlConsoleView = Readonly<{
  isRunning: boolean;
  executed: Executed | null;
  /** The session began too long ago for a commit. */
  needsSignIn: boolean;
  execute: (text: string) => Promise<void>;
  plan: (text: string) => Promise<void>;
  cancel: () => void;
  /** Null unless it failed, which a toast has said too. */
  commit: (executed: Executed, reason: string) => Promise<Problem | null>;
}>;

const isSignInAgain = (error: object | undefined): boolean =>
  error !== undefined && 'code' in error && error.code === 'SIGN_IN_AGAIN';

const failedText = 'Failed to execute SQL';

const failedTitle = 'SQL Execution Failed';

/** Its cause is over: the dialog of a commit was closed. */
export const hideFailedRequest = (): void => hideToast(failedText);

/** Their cause is over: another statement is typed or executed. */
export const hideSqlErrors = (): void => [failedText, failedTitle].forEach(hideToast);

/** A plan and a dry run have changed nothing and returned no rows: the page says what they are. */
const showOutcome = ({ data, error }: Outcome): void => {
  if (error) {
    showError(error, { title: 'Execution Error', fallback: failedText });
  } else if (data?.error) {
    showToast({ kind: 'danger', title: failedTitle, text: data.error.message, cause: failedTitle });
  } else if (data?.kind === 'rows' || data?.kind === 'committed') {
    const verb = data.kind === 'rows' ? 'returned' : 'affected';
    const text = `Query executed with ${data.rowCount} ${data.rowCount === 1 ? 'row' : 'rows'} ${verb}`;
    showToast({ kind: 'ok', title: 'SQL Executed Successfully', text });
  }
};

export const refuseEmpty = (): void => {
  const [title = '', text = ''] = emptyQueryText.split(': ');
  showToast({ kind: 'danger', title, text, cause: failedText });
};

/** Runs one statement at a time. */
export const useSqlConsole = (): SqlConsoleView => {
  const [running, setRunning] = useState<string | null>(null);
  const isBusy = useRef(false);
  const [executed, setExecuted] = useState<Executed | null>(null);
  const [executeSql] = useExecuteSqlMutation();
  const [planSql] = usePlanSqlMutation();
  const [commitSql, { error: commitError, reset }] = useCommitSqlMutation();
  const [cancelSql] = useCancelSqlMutation();

  const run = async (text: string, send: typeof executeSql): Promise<void> => {
    // The key may be pressed twice before the page is rendered once.
    if (isBusy.current) return;
    const sqlQuery = text.trim();
    if (sqlQuery === '') {
      refuseEmpty();
      return;
    }
    const queryId = crypto.randomUUID();
    hideSqlErrors();
    isBusy.current = true;
    setRunning(queryId);
    reset();
    const outcome: Outcome = await send({ sqlQuery, queryId });
    isBusy.current = false;
    setRunning(null);
    if (outcome.data) setExecuted({ answer: outcome.data, text });
    showOutcome(outcome);
  };
  return {
    isRunning: running !== null,
    executed,
    needsSignIn: isSignInAgain(commitError),
    execute: (text) => run(text, executeSql),
    plan: (text) => run(text, planSql),
    cancel: () => {
      if (running !== null) void cancelSql(running);
    },
    commit: async ({ answer: { sha256, rowCount }, text }, reason) => {
      const outcome: Outcome = await commitSql({ sqlQuery: text.trim(), sha256, rowCount, reason });
      // The page itself says what to do about that.
      if (isSignInAgain(outcome.error)) return null;
      if (outcome.data) setExecuted({ answer: outcome.data, text });
      showOutcome(outcome);
      return failureOf(outcome.error, failedText);
    },
  };
};
