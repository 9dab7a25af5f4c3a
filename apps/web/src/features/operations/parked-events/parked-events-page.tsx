import { useCallback, useMemo, type JSX } from 'react';
import { useSearchParams } from 'react-router-dom';
import { IgnoredList } from './ignored-list.tsx';
import { addressParams, readAddress, type ParkedAddress } from './parked-address.ts';
import { WaitingList } from './waiting-list.tsx';

const views = [
  { view: 'waiting', name: 'Waiting' },
  { view: 'ignored', name: 'Ignored' },
] as const;

/** `/admin/parked-events`: the events that wait for a person, and those that a person has ignored. */
export const ParkedEventsPage = (): JSX.Element => {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const change = useCallback(
    (changes: Partial<ParkedAddress>): void => {
      // The address of the browser is newer than the one that was rendered last.
      const now = readAddress(new URLSearchParams(window.location.search));
      setParams(addressParams({ ...now, ...changes }), { replace: true, preventScrollReset: true });
    },
    [setParams],
  );
  return (
    <main className="wrap member-page" id="main">
      <div className="member-head">
        <h1>Parked events</h1>
        <div className="chips" role="group" aria-label="Show">
          {views.map(({ view, name }) => (
            <button
              key={view}
              className="chip"
              type="button"
              aria-pressed={address.view === view}
              onClick={() => change({ view, event: null })}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      {address.view === 'waiting' ? <WaitingList address={address} onChange={change} /> : <IgnoredList />}
    </main>
  );
};
