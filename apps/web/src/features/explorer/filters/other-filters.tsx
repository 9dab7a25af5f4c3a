import { useId, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Check } from '../../../ui/check.tsx';
import { DayRangeField } from '../../../ui/dates/day-range-field.tsx';
import { daysTyped, flagTurned, symbolTyped } from '../filter-state/filters.slice.ts';
import { longestSymbol } from '../filter-state/filters.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

export const SymbolField = (): JSX.Element => {
  const id = useId();
  const dispatch = useDispatch();
  const { symbol } = useSelector(selectExplorer).filters;
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
        maxLength={longestSymbol}
        value={symbol}
        onChange={({ target }) => dispatch(symbolTyped(target.value))}
      />
    </div>
  );
};

export const DayFilters = (): JSX.Element => {
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  return (
    <>
      <DayRangeField
        label="Publication date"
        names={['Published from', 'Published to']}
        value={filters.published}
        onDays={(days) => dispatch(daysTyped({ field: 'published', days }))}
      />
      <DayRangeField
        label="Backtesting period"
        names={['Backtested from', 'Backtested to']}
        hint="Keeps strategies whose range lies inside."
        value={filters.backtested}
        onDays={(days) => dispatch(daysTyped({ field: 'backtested', days }))}
      />
    </>
  );
};

export const FlagFilters = (): JSX.Element => {
  const dispatch = useDispatch();
  const { hasPerformance, hasEnhanced } = useSelector(selectExplorer).filters;
  return (
    <>
      <Check
        label="Has Performance Data"
        hint="At least one of P&L, drawdown, profit factor and Sharpe is known."
        isOn={hasPerformance}
        onTurn={() => dispatch(flagTurned('hasPerformance'))}
      />
      <Check
        label="Has Enhanced Data"
        hint="There is a description, and the initial capital or the commission."
        isOn={hasEnhanced}
        onTurn={() => dispatch(flagTurned('hasEnhanced'))}
      />
    </>
  );
};
