import { useState, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { presetToggled } from '../filter-state/filters.slice.ts';
import { isPresetOn, presetsOf, presetWords } from '../filter-state/presets.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

export const PresetRow = (): JSX.Element => {
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const [presets] = useState(() => presetsOf(new Date()));
  return (
    <div className="chips presets" role="group" aria-label="Presets">
      {presets.map((preset) => (
        <button
          key={preset.id}
          className="chip"
          type="button"
          aria-pressed={isPresetOn(filters, preset)}
          onClick={() => dispatch(presetToggled(preset))}
        >
          {preset.name}
          <span className="n">{presetWords(preset)}</span>
        </button>
      ))}
    </div>
  );
};
