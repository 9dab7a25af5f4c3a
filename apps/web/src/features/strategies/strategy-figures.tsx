import type { FacetField } from '@tapedeck/search-engine/contract';
import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { JSX, ReactNode } from 'react';
import { Figure } from '../../ui/figure.tsx';
import { formatGain, formatPercent, formatRatio, formatWhole, missing } from '../../ui/format.ts';
import { factorLabel, readFigure, readMoney, readWins, type FactorLabel, type MoneyText } from './figures.ts';

/** Shows where a figure is in the catalogue; of another feature. */
export type RenderPlace = (field: FacetField, isLoss: boolean) => ReactNode;

type FigureCardProps = Readonly<{
  name: string;
  text: string;
  tone?: string;
  note: ReactNode;
  mark?: ReactNode;
  place: ReactNode;
}>;

const FigureCard = ({ name, text, tone, note, mark, place }: FigureCardProps): JSX.Element => (
  <section className="card figure">
    <h2>{name}</h2>
    <p className="figure-value">
      <Figure text={text} className={tone ?? ''} />
      {mark}
    </p>
    <p className="meta">{note}</p>
    {place}
  </section>
);

const factorNotes: Readonly<Record<FactorLabel, string>> = {
  Excellent: '1.5 or more is excellent',
  Good: '1.2 up to 1.5 is good',
  Poor: 'under 1.2 is poor',
};

export const FactorBadge = ({ factor }: Readonly<{ factor: number | null }>): JSX.Element | null => {
  const label = factor === null ? null : factorLabel(factor);
  return label && <span className={`badge badge--${label.toLowerCase()}`}>{label}</span>;
};

const unknownNote = ({ percent }: MoneyText): string => (percent === null ? 'not known' : 'amount not known');

const winsNote = ({ profitableTrades, totalTrades }: StrategyDetails): string => {
  const counts = readWins(profitableTrades, totalTrades)?.counts;
  if (counts) return `${formatWhole(counts.won)} of ${formatWhole(counts.total)} trades`;
  const total = readFigure(totalTrades);
  return total === null ? 'not known' : `of ${formatWhole(total)} trades`;
};

export const winRateText = ({ profitableTrades, totalTrades }: StrategyDetails): string => {
  const wins = readWins(profitableTrades, totalTrades);
  return wins ? `${wins.rate.toFixed(1)}%` : missing;
};

/** A result of zero is no loss: it has the sign of a gain. */
const resultText = (percent: number | null): string =>
  percent !== null && percent >= 0 ? `+${formatPercent(percent)}` : formatGain(percent);

type StrategyFiguresProps = Readonly<{ details: StrategyDetails; renderPlace: RenderPlace }>;

/** The four figures at the top of the page. */
export const StrategyFigures = ({ details, renderPlace }: StrategyFiguresProps): JSX.Element => {
  const pnl = readMoney(details.totalPandl);
  const drawdown = readMoney(details.maxEquityDrawdown);
  const factor = readFigure(details.profitFactor);
  const isLoss = pnl.percent !== null && pnl.percent < 0;
  return (
    <div className="figures">
      <FigureCard
        name="Total P&L"
        text={resultText(pnl.percent)}
        tone={pnl.percent === null ? '' : isLoss ? 'loss' : 'gain'}
        note={pnl.amount ?? unknownNote(pnl)}
        place={renderPlace('totalPandlPercent', isLoss)}
      />
      <FigureCard
        name="Max Drawdown"
        text={formatPercent(drawdown.percent === null ? null : Math.abs(drawdown.percent))}
        note={drawdown.amount ?? unknownNote(drawdown)}
        place={renderPlace('maxDrawdownPercent', false)}
      />
      <FigureCard
        name="Profit Factor"
        text={formatRatio(factor)}
        note={factor === null ? 'not known' : factorNotes[factorLabel(factor)]}
        mark={<FactorBadge factor={factor} />}
        place={renderPlace('profitFactor', false)}
      />
      <FigureCard
        name="Win Rate"
        text={winRateText(details)}
        note={winsNote(details)}
        place={renderPlace('winRate', false)}
      />
    </div>
  );
};
