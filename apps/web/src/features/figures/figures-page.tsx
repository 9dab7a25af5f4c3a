import { figureDefinitions, type Figures } from '@tapedeck/figures/contract';
import type { JSX } from 'react';
import { useSearchParams } from 'react-router-dom';
import { detailsOf } from '../../api/problem-text.ts';
import { useRepeat } from '../../api/use-repeat.ts';
import { formatDuration, secondsBetween } from '../../ui/duration.ts';
import { formatSecond, formatMoney, formatTime, formatWhole } from '../../ui/format.ts';
import { LoadingPage } from '../../ui/loading-page.tsx';
import { RetryNotice } from '../../ui/retry-notice.tsx';
import { FigureCard } from './figure-card.tsx';
import { useFiguresQuery } from './figures.api.ts';
import { rangeNamed, ranges, shownIn, sumOf, totalsOf, type Range, type Series } from './shown-days.ts';

const pollMs = 10_000;

type CardProps = Readonly<{ figures: Figures; range: Range }>;

const newest = (values: readonly number[]): number => values.at(-1) ?? 0;
const newestText = ({ values }: Series): string => formatWhole(newest(values));
const sumText = ({ values }: Series): string => formatWhole(sumOf(values));

const MembersCard = ({ figures: { days, members }, range }: CardProps): JSX.Element => {
  const series = members.map(({ tier, period, active }) => ({ name: `${tier} ${period}`, values: active }));
  const total = formatWhole(newest(totalsOf(series)));
  return (
    <FigureCard
      title="Active members"
      value={total}
      definitions={[{ name: 'Active members', text: figureDefinitions.active }]}
      shown={shownIn(range, days, series)}
      valueOf={newestText}
    />
  );
};

const RevenueCard = ({
  currency,
  amounts,
  days,
  range,
}: Figures['revenue'][number] & Readonly<{ days: readonly string[]; range: Range }>): JSX.Element => {
  const format = (amount: number): string => formatMoney(amount, currency);
  const title = `Monthly recurring revenue, ${currency.toUpperCase()}`;
  const value = format(newest(amounts));
  return (
    <FigureCard
      title={title}
      value={value}
      definitions={[{ name: 'Monthly recurring revenue', text: figureDefinitions.revenue }]}
      shown={shownIn(range, days, [{ name: 'At the end of the day', values: amounts }])}
      valueOf={({ values }) => format(newest(values))}
      format={format}
    />
  );
};

const ChangesCard = ({ figures: { days, joined, returned, churned }, range }: CardProps): JSX.Element => {
  const series = [
    { name: 'New', values: joined },
    { name: 'Returned', values: returned },
    { name: 'Churned', values: churned },
  ];
  return (
    <FigureCard
      title="Members who came and left"
      note={`Beside each name the sum of ${range.text}.`}
      definitions={[
        { name: 'New', text: figureDefinitions.joined },
        { name: 'Returned', text: figureDefinitions.returned },
        { name: 'Churned', text: figureDefinitions.churned },
      ]}
      shown={shownIn(range, days, series)}
      valueOf={sumText}
    />
  );
};

const PaymentsCard = ({ figures: { days, failed, recovered }, range }: CardProps): JSX.Element => {
  const series = [
    { name: 'Failed', values: failed },
    { name: 'Recovered', values: recovered },
  ];
  return (
    <FigureCard
      title="Failed payments"
      note={`Beside each name the sum of ${range.text}.`}
      definitions={[
        { name: 'Failed', text: figureDefinitions.failed },
        { name: 'Recovered', text: figureDefinitions.recovered },
      ]}
      shown={shownIn(range, days, series)}
      valueOf={sumText}
    />
  );
};

const ago = (time: string | null, { readAt }: Figures): string =>
  time === null ? 'none yet' : `${formatDuration(secondsBetween(time, readAt))} ago`;

const sweepNote = ({ lastAt, isUnderWay, lastError }: Figures['sweep']): string => {
  const began = lastAt === null ? '' : `It began ${formatTime(lastAt)}. `;
  if (lastError !== null) return `${began}The last attempt has failed: ${lastError}`;
  return isUnderWay ? `${began}Another one is under way.` : began;
};

const StripeCard = ({ figures, range }: CardProps): JSX.Element => {
  const { days, wronglySigned, lastWebhookAt, sweep } = figures;
  const shown = shownIn(range, days, [{ name: 'Wrongly signed webhooks', values: wronglySigned }]);
  const [webhook, lastSweep] = [ago(lastWebhookAt, figures), ago(sweep.lastAt, figures)];
  return (
    <FigureCard
      title="Connection to Stripe"
      note={`Beside the chart the sum of ${range.text}.`}
      definitions={[
        { name: 'Last webhook', text: figureDefinitions.lastWebhook },
        { name: 'Last complete comparison', text: figureDefinitions.lastSweep },
        { name: 'Wrongly signed webhooks', text: figureDefinitions.wronglySigned },
      ]}
      shown={shown}
      valueOf={sumText}
    >
      <dl className="figure-facts">
        <div>
          <dt>Last webhook</dt>
          <dd>
            {webhook}
            {lastWebhookAt !== null && <span className="meta">{formatTime(lastWebhookAt)}</span>}
          </dd>
        </div>
        <div>
          <dt>Last complete comparison</dt>
          <dd>
            {lastSweep}
            <span className="meta">{sweepNote(sweep)}</span>
          </dd>
        </div>
      </dl>
    </FigureCard>
  );
};

const isEmpty = ({ members, joined, revenue }: Figures): boolean =>
  revenue.length === 0 && sumOf(joined) === 0 && members.every(({ active }) => sumOf(active) === 0);

const RangeChoice = ({ range }: Readonly<{ range: Range }>): JSX.Element => {
  const [, setParams] = useSearchParams();
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">Days that are shown</legend>
      {ranges.map(({ name, text }) => (
        <label key={name}>
          <input
            type="radio"
            name="range"
            checked={name === range.name}
            onChange={() => setParams({ range: name }, { replace: true, preventScrollReset: true })}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
};

const Cards = ({ figures, range }: CardProps): JSX.Element => (
  <div className="figure-cards">
    {isEmpty(figures) ? (
      <section className="card card-pad" aria-label="Members">
        <p>No members yet. Members and revenue are shown from the first purchase on.</p>
      </section>
    ) : (
      <>
        <MembersCard figures={figures} range={range} />
        {figures.revenue.map((revenue) => (
          <RevenueCard key={revenue.currency} {...revenue} days={figures.days} range={range} />
        ))}
        <ChangesCard figures={figures} range={range} />
      </>
    )}
    <PaymentsCard figures={figures} range={range} />
    <StripeCard figures={figures} range={range} />
  </div>
);

/** `/admin/figures`; `?range=` chooses the days. */
export const FiguresPage = (): JSX.Element => {
  const [params] = useSearchParams();
  const range = rangeNamed(params.get('range'));
  const query = useFiguresQuery();
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  if (!data && !error) return <LoadingPage title="Figures" />;
  return (
    <main className="wrap member-page" id="main">
      <div className="member-head">
        <h1>Figures</h1>
        {data && (
          <p className="meta">
            Days are in UTC; the current day is not over. As of {formatSecond(data.readAt)}
            {error && ', not updated since: the server does not answer'}.
          </p>
        )}
      </div>
      {data ? (
        <>
          <div className="row">
            <RangeChoice range={range} />
          </div>
          <Cards figures={data} range={range} />
        </>
      ) : (
        <RetryNotice
          text="The figures could not be loaded. Nothing was changed."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </main>
  );
};
