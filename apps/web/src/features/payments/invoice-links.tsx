import { useId, useState, type JSX } from 'react';
import { detailsOf, problemText } from '../../api/problem-text.ts';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { useInvoiceLinksQuery } from './payments.api.ts';

/** Pages of the payment provider: they open beside this one. */
const External = ({ href, text }: Readonly<{ href: string; text: string }>): JSX.Element => (
  <a className="btn btn--sm" href={href} target="_blank" rel="noopener noreferrer">
    {text}
  </a>
);

const Links = ({ invoiceId }: Readonly<{ invoiceId: string }>): JSX.Element => {
  const { data, error, isFetching, refetch } = useInvoiceLinksQuery(invoiceId);
  if (error)
    return (
      <RetryNotice
        text={problemText(error, 'The invoice could not be found. Please try again.')}
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <span role="status">Looking for the invoice...</span>;
  if (data.page === null && data.pdf === null)
    return <span role="status">The payment provider has no invoice of this payment.</span>;
  return (
    <div className="row" role="status">
      {data.page !== null && <External href={data.page} text="Invoice page" />}
      {data.pdf !== null && <External href={data.pdf} text="Invoice PDF" />}
    </div>
  );
};

/** A button that reveals where an invoice can be seen: the addresses end after some time, so they are asked for each time. */
export const InvoiceLinks = ({
  invoiceId,
  label,
}: Readonly<{ invoiceId: string; label: string }>): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        className="linkish"
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`Invoice: ${label}`}
        onClick={() => setOpen(!isOpen)}
      >
        Invoice
      </button>
      <div id={id} className="revealed" hidden={!isOpen}>
        {isOpen && <Links invoiceId={invoiceId} />}
      </div>
    </>
  );
};
