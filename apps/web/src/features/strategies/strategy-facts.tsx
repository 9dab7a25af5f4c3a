import type { FacetField } from '@tapedeck/search-engine/contract';
import type { StrategyDetails } from '@tapedeck/strategies/contract';
import { Tabs } from 'radix-ui';
import type { JSX, ReactNode } from 'react';
import { Figure } from '../../ui/figure.tsx';
import { formatDay, formatPercent, formatRatio, formatWhole, missing } from '../../ui/format.ts';
import { firstNames, lostTrades, readFigure, readMoney, readWins } from './figures.ts';
import { FactorBadge, winRateText } from './strategy-figures.tsx';
import { SourceLink } from './source-link.tsx';

/** Says how good a figure is among all; of another feature. */
export type RenderRank = (field: FacetField) => ReactNode;

type Fact = readonly [name: string, value: ReactNode];
type DetailsProps = Readonly<{ details: StrategyDetails }>;
type PaneProps = Readonly<{ details: StrategyDetails; renderRank: RenderRank }>;

const Facts = ({ facts }: Readonly<{ facts: readonly Fact[] }>): JSX.Element => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const counted = (value: number | null, unit: string): string =>
  value === null ? missing : `${formatWhole(value)} ${unit}${value === 1 ? '' : 's'}`;

const whole = (value: number | null | undefined): string =>
  value === null || value === undefined ? missing : formatWhole(value);

const grouped = (text: string): string => (/^\d{4,15}$/.test(text) ? formatWhole(Number(text)) : text);

const WinBar = ({ won, total }: Readonly<{ won: number; total: number }>): JSX.Element => (
  <div
    className="win-bar"
    role="img"
    aria-label={`${formatWhole(won)} of ${formatWhole(total)} trades won`}
    style={{ '--won': won / total }}
  />
);

const Overview = ({ details }: DetailsProps): JSX.Element => {
  const wins = readWins(details.profitableTrades, details.totalTrades);
  const counts = wins?.counts ?? null;
  const lost = wins && lostTrades(wins);
  const pnl = readMoney(details.totalPandl);
  const isLoss = pnl.amount?.startsWith('−') ?? false;
  return (
    <>
      <Facts
        facts={[
          ['Total trades', whole(readFigure(details.totalTrades))],
          ['Win rate', winRateText(details)],
          ['Winning trades', whole(counts?.won)],
          ['Losing trades', lost ? `${lost.isExact ? '' : 'up to '}${formatWhole(lost.max)}` : missing],
          [
            'Total P&L',
            pnl.amount === null ? (
              missing
            ) : (
              <span key="amount" className={isLoss ? 'loss' : 'gain'}>
                {pnl.amount}
              </span>
            ),
          ],
        ]}
      />
      {counts && <WinBar {...counts} />}
      {lost && !lost.isExact && (
        <p className="hint">
          The source counts winning trades and all trades. Trades that broke even are neither won nor lost.
        </p>
      )}
    </>
  );
};

const Side = ({ name, text }: Readonly<{ name: string; text: string | null }>): JSX.Element => {
  const factor = readFigure(text);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Figure text={formatRatio(factor)} />
        <FactorBadge factor={factor} />
      </dd>
    </div>
  );
};

/** The profit factors of long and short trades, where at least one of them is known. */
const Sides = ({ details: { profitFactorLong, profitFactorShort } }: DetailsProps): JSX.Element | null =>
  readFigure(profitFactorLong) === null && readFigure(profitFactorShort) === null ? null : (
    <>
      <h3 className="sides-title">Profit factor by side</h3>
      <dl className="sides">
        <Side name="Long" text={profitFactorLong} />
        <Side name="Short" text={profitFactorShort} />
      </dl>
    </>
  );

const Risk = ({ details, renderRank }: PaneProps): JSX.Element => {
  const { backtestingRangeStart: from, backtestingRangeEnd: to, sortinoRatioAll } = details;
  const drawdown = readMoney(details.maxEquityDrawdown).percent;
  const sortino = readFigure(sortinoRatioAll);
  const ratio = (text: string | null): ReactNode => <Figure text={formatRatio(readFigure(text))} />;
  return (
    <>
      <Facts
        facts={[
          ['Max drawdown', formatPercent(drawdown === null ? null : Math.abs(drawdown))],
          ['Profit factor', ratio(details.profitFactor)],
          [
            'Sharpe ratio',
            <>
              {ratio(details.sharpeRatioAll)}
              {readFigure(details.sharpeRatioAll) !== null && renderRank('sharpeRatio')}
            </>,
          ],
          ...(sortino === null ? [] : [['Sortino ratio', ratio(sortinoRatioAll)] as const]),
          ['Backtesting period', from && to ? `${formatDay(from)} – ${formatDay(to)}` : missing],
        ]}
      />
      <Sides details={details} />
    </>
  );
};

const MoreDetails = ({ details }: DetailsProps): JSX.Element => {
  const { currency, initialCapital } = details;
  const unit = currency && currency !== 'NONE' ? ` ${currency}` : '';
  return (
    <Facts
      facts={[
        ['Indicators', firstNames(details.categories) ?? missing],
        ['Timeframes', firstNames(details.timeframes) ?? missing],
        ['Initial capital', initialCapital === null ? missing : grouped(initialCapital) + unit],
        ['Commission', details.commission ?? missing],
        ['Slippage', counted(details.slippage, 'tick')],
        ['Pyramiding', counted(details.pyramiding, 'order')],
        ['Source', <SourceLink key="source" details={details} className="source-link" />],
      ]}
    />
  );
};

const panes = [
  { id: 'overview', name: 'Overview', Pane: Overview },
  { id: 'risk', name: 'Risk', Pane: Risk },
  { id: 'details', name: 'Details', Pane: MoreDetails },
] as const;

/** All three panes are on the page, so that they can be printed and the card keeps its height. */
export const StrategyFacts = ({ details, renderRank }: PaneProps): JSX.Element => (
  <section className="card side" aria-label="Figures">
    <Tabs.Root defaultValue="overview">
      <Tabs.List className="tabs" aria-label="Figures">
        {panes.map(({ id, name }) => (
          <Tabs.Trigger key={id} className="tab" value={id}>
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div className="side-panes">
        {panes.map(({ id, name, Pane }) => (
          <Tabs.Content key={id} className="side-pane" value={id} forceMount>
            <h3 className="print-only">{name}</h3>
            <Pane details={details} renderRank={renderRank} />
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  </section>
);
