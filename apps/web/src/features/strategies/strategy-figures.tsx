import type { StrategyDetails } from '@tapedeck/strategies/contract';
import type { JSX, ReactNode } from 'react';
import { Figure } from '../../ui/figure.tsx';
import { formatGain, formatPercent, formatRatio, formatWhole, missing } from '../../ui/format.ts';
import { factorLabel, readFigure, readMoney, readWins, type FactorLabel, type MoneyText } from './figures.ts';

type FigureCardProps = Readonly<{
  name: string;
  text: string;
  tone?: string;
  note: ReactNode;
  mark?: ReactNode;
}>;

const FigureCard = ({ name, text, tone, note, mark }: FigureCardProps): JSX.Element => (
  <section className="card figure">
    <h2>{name}</h2>
    <p className="figure-value">
      <Figure text={text} className={tone ?? ''} />
      {mark}
    </p>
    <p className="meta">{note}</p>
  </section>
);

const factorNotes: Readonly<Record<FactorLabel, string>> = {
  Excellent: '1.5 or more is excellent',
  Good: '1.2 up to 1.5 is good',
  Poor: 'under 1.2 is poor',
};

const ProfitFactor = ({ text }: Readonly<{ text: string | null }>): JSX.Element => {
  const factor = readFigure(text);
  const label = factor === null ? null : factorLabel(factor);
  return (
    <FigureCard
      name="Profit factor"
      text={formatRatio(factor)}
      note={label ? factorNotes[label] : 'not known'}
      mark={label && <span className={`badge badge--${label.toLowerCase()}`}>{label}</span>}
    />
  );
};

const WinRate = ({ details }: Readonly<{ details: StrategyDetails }>): JSX.Element => {
  const wins = readWins(details.profitableTrades, details.totalTrades);
  const total = readFigure(details.totalTrades);
  const counts = wins?.counts;
  const ofTrades = total === null ? 'not known' : `of ${formatWhole(total)} trades`;
  return (
    <FigureCard
      name="Win rate"
      text={wins ? `${wins.rate.toFixed(1)}%` : missing}
      note={counts ? `${formatWhole(counts.won)} of ${formatWhole(counts.total)} trades` : ofTrades}
    />
  );
};

const unknownNote = ({ percent }: MoneyText): string => (percent === null ? 'not known' : 'amount not known');

/** The four figures at the top of the page. */
export const StrategyFigures = ({ details }: Readonly<{ details: StrategyDetails }>): JSX.Element => {
  const pnl = readMoney(details.totalPandl);
  const drawdown = readMoney(details.maxEquityDrawdown);
  const tone = pnl.percent === null ? '' : pnl.percent < 0 ? 'loss' : 'gain';
  return (
    <div className="figures">
      <FigureCard
        name="Total P&L"
        text={formatGain(pnl.percent)}
        tone={tone}
        note={pnl.amount ?? unknownNote(pnl)}
      />
      <FigureCard
        name="Max drawdown"
        text={formatPercent(drawdown.percent === null ? null : Math.abs(drawdown.percent))}
        note={drawdown.amount ?? unknownNote(drawdown)}
      />
      <ProfitFactor text={details.profitFactor} />
      <WinRate details={details} />
    </div>
  );
};
