import type { TextPart } from '@tapedeck/audit/contract';
import type { JSX } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { addressParams, readAddress } from './audit-address.ts';

type Linked = TextPart & Readonly<{ link: NonNullable<TextPart['link']> }>;

/** The address of the page with the event's details beside it. */
const useEventAddress = (): ((event: string) => string) => {
  const [params] = useSearchParams();
  return (event) => `?${addressParams({ ...readAddress(params), event }).toString()}`;
};

const PartLink = ({ text, link: { kind, id, url } }: Linked): JSX.Element => {
  const eventAddress = useEventAddress();
  switch (kind) {
    case 'event':
      return (
        <Link to={eventAddress(id)} replace preventScrollReset>
          {text}
        </Link>
      );
    case 'account':
      return (
        <Link to={`/admin/members/${id}`} title={id}>
          {text}
        </Link>
      );
    case 'strategy':
      return <Link to={`/strategy/${encodeURIComponent(id)}`}>{text}</Link>;
    case 'stripe':
      return (
        <a href={url ?? ''} target="_blank" rel="noreferrer" title={`${id} at Stripe`}>
          {text}
        </a>
      );
    default:
      return kind satisfies never;
  }
};

const isLinked = (part: TextPart): part is Linked => part.link !== null;

/** A text of the audit: what it names leads to it. */
export const LinkedText = ({ parts }: Readonly<{ parts: readonly TextPart[] }>): JSX.Element => (
  <>
    {parts.map((part, index) => {
      if (isLinked(part)) return <PartLink key={index} {...part} />;
      return part.isMain ? <b key={index}>{part.text}</b> : part.text;
    })}
  </>
);

/** The same where it is the name of a control, which cannot contain links. */
export const plainText = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join('');
