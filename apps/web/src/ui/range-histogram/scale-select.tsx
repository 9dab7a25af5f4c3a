import type { JSX } from 'react';
import { Icon } from '../icon.tsx';

const names = { quantile: 'Quantile', linear: 'Linear', log: 'Log' } as const;
export type ScaleName = keyof typeof names;

const rulerPaths: Readonly<Record<ScaleName, string>> = {
  quantile: 'M.5 0v10M4.5 0v10M6.5 0v10M8.5 0v10M11.5 0v10M15.5 0v10',
  linear: 'M.5 0v10M3.5 0v10M6.5 0v10M9.5 0v10M12.5 0v10M15.5 0v10',
  log: 'M.5 0v10M7.5 0v10M10.5 0v10M12.5 0v10M14.5 0v10M15.5 0v10',
};

export type ScaleSelectProps = Readonly<{
  label: string;
  value: ScaleName;
  onChoose: (scale: ScaleName) => void;
}>;

export const ScaleSelect = ({ label, value, onChoose }: ScaleSelectProps): JSX.Element => (
  <span className="scale">
    <svg className="icon" viewBox="0 0 16 10" aria-hidden="true">
      <path d={rulerPaths[value]} />
    </svg>
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => {
        const chosen = (Object.keys(names) as ScaleName[]).find((name) => name === target.value);
        if (chosen) onChoose(chosen);
      }}
    >
      {Object.entries(names).map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="down" />
  </span>
);
