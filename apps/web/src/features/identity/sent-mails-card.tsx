import type { SentMailsPage } from '@tapedeck/identity/contract';
import { useId, useState, type JSX } from 'react';
import { detailsOf, failureOf, problemText } from '../../api/problem-text.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { formatDay } from '../../ui/format.ts';
import { ListEnd } from '../../ui/list-end.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useSentMailsInfiniteQuery, useSentMailTextQuery } from './identity.api.ts';

type Mail = SentMailsPage['mails'][number];

const MailText = ({ id }: Readonly<{ id: string }>): JSX.Element => {
  const { data, error, isFetching, refetch } = useSentMailTextQuery(id);
  if (error)
    return (
      <RetryNotice
        text={problemText(error, 'The e-mail could not be loaded.')}
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <span role="status">Loading the e-mail...</span>;
  return <div className="mail-text">{data.text.trim()}</div>;
};

const MailLine = ({ mail }: Readonly<{ mail: Mail }>): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const textId = useId();
  const subject = mail.subject ?? 'An e-mail';
  return (
    <li>
      <span>
        {mail.hasText ? (
          <button
            className="linkish mail-subject"
            type="button"
            aria-expanded={isOpen}
            aria-controls={textId}
            onClick={() => setOpen(!isOpen)}
          >
            {subject}
          </button>
        ) : (
          subject
        )}
        {mail.sentTo !== null && (
          <>
            <br />
            <span className="meta">to {mail.sentTo}</span>
          </>
        )}
      </span>
      <time className="meta push" dateTime={mail.sentAt}>
        {formatDay(mail.sentAt)}
      </time>
      {mail.hasText && (
        <div id={textId} className="revealed" hidden={!isOpen}>
          {isOpen && <MailText id={mail.id} />}
        </div>
      )}
    </li>
  );
};

/** What was sent to the account by e-mail, the newest first; the text of a mail when it is asked for. */
export const SentMailsCard = (): JSX.Element => {
  const sent = useSentMailsInfiniteQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, refetch } = sent;
  const { readOn, isReadingOn } = useReadOn(sent);
  const mails = data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <section className="card" aria-labelledby="sent-mails-title" aria-busy={isFetching && !data}>
      <div className="card-head">
        <h2 id="sent-mails-title">E-mails to you</h2>
      </div>
      <div className="card-pad stack">
        {!data && !error && <span className="skeleton card-skeleton" />}
        {error && !isFetchNextPageError && (
          <RetryNotice
            text="Your e-mails could not be loaded."
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {data && mails.length === 0 && <p className="meta">Nothing has been sent to you yet.</p>}
        {mails.length > 0 && (
          <ul className="lines">
            {mails.map((mail) => (
              <MailLine key={mail.id} mail={mail} />
            ))}
          </ul>
        )}
        {data && (hasNextPage || data.pages.length > 1) && (
          <ListEnd
            label="Show older e-mails"
            hasMore={hasNextPage}
            isBusy={isReadingOn}
            problem={
              isFetchNextPageError ? failureOf(error, 'Older e-mails could not be loaded: try again.') : null
            }
            end="There are no older e-mails."
            onMore={readOn}
          />
        )}
      </div>
    </section>
  );
};
