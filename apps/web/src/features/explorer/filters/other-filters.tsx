import { isReversed } from '@tapedeck/search-engine/contract';
import { useId, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { DayRangeField } from '../../../ui/dates/day-range-field.tsx';
import type { DayRange } from '../../../ui/dates/days.ts';
import { daysTyped, flagToggled, selectFilters, symbolTyped } from '../filter-state/filters.slice.ts';
import { maxSymbolLength } from '../filter-state/filters.ts';

export const SymbolField = (): JSX.Element => {
  const id = useId();
  const dispatch = useDispatch();
  const { symbol } = useSelector(selectFilters);
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Symbol
      </label>
      <input
        className="input"
        id={id}
        placeholder="e.g. BTCUSD, AAPL"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={maxSymbolLength}
        value={symbol}
        onChange={({ target }) => dispatch(symbolTyped(target.value))}
      />
    </div>
  );
};

const areReversed = ({ from, to }: DayRange): boolean => isReversed(from, to);

export const DayFilters = (): JSX.Element => {
  const dispatch = useDispatch();
  const filters = useSelector(selectFilters);
  return (
    <>
      <DayRangeField
        label="Publication date"
        names={['Published from', 'Published to']}
        value={filters.published}
        isReversed={areReversed}
        onDays={(days) => dispatch(daysTyped({ field: 'published', days }))}
      />
      <DayRangeField
        label="Backtesting period"
        names={['Backtested from', 'Backtested to']}
        hint="Keeps strategies whose backtest lies within this period."
        value={filters.backtested}
        isReversed={areReversed}
        onDays={(days) => dispatch(daysTyped({ field: 'backtested', days }))}
      />
    </>
  );
};

type CheckProps = Readonly<{ label: string; hint: string; isOn: boolean; onToggle: () => void }>;

const Check = ({ label, hint, isOn, onToggle }: CheckProps): JSX.Element => {
  const hintId = useId();
  return (
    <div>
      <label className="check">
        <input type="checkbox" checked={isOn} aria-describedby={hintId} onChange={onToggle} />
        {label}
      </label>
      <p className="hint check-hint" id={hintId}>
        {hint}
      </p>
    </div>
  );
};

export const FlagFilters = (): JSX.Element => {
  const dispatch = useDispatch();
  const { hasPerformance, hasEnhanced } = useSelector(selectFilters);
  return (
    <>
      <Check
        label="Has Performance Data"
        hint="At least one of P&L, drawdown, profit factor and Sharpe is known."
        isOn={hasPerformance}
        onToggle={() => dispatch(flagToggled('hasPerformance'))}
      />
      <Check
        label="Has Enhanced Data"
        hint="There is a description, and the initial capital or the commission."
        isOn={hasEnhanced}
        onToggle={() => dispatch(flagToggled('hasEnhanced'))}
      />
    </>
  );
};
