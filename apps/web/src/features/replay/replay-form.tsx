import type { ReplayModeName, ReplayTargetBody, TryReplayBody } from '@tapedeck/replay/contract';
import { useState, type FormEvent, type JSX, type ReactNode } from 'react';
import { ActionButton } from '../../ui/action-button.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { modes, targetKinds, type TargetKind } from './replay-words.ts';

export type Member = Readonly<{ accountId: string; name: string }>;

/** What the page that has led here is about. */
export type ReplayStart = Readonly<{
  member?: Member;
  subscriptionId?: string;
  /** Of Stripe. */
  eventId?: string;
  mode?: ReplayModeName;
}>;

export type ReplayFormProps = Readonly<{
  start: ReplayStart;
  /** The choice of a member. */
  renderPicker: (
    picker: Readonly<{ chosen: Member | null; onChoose: (member: Member | null) => void }>,
  ) => ReactNode;
  isRunning: boolean;
  problem: Problem | null;
  onTry: (body: TryReplayBody) => void;
}>;

type Draft = Readonly<{
  kind: TargetKind;
  member: Member | null;
  subscriptionId: string;
  eventId: string;
  from: string;
  to: string;
}>;

/** A field of `datetime-local` has no zone: here it is UTC. */
const utc = (local: string): string => new Date(`${local}Z`).toISOString();

const targetOf = ({ kind, member, subscriptionId, eventId, from, to }: Draft): ReplayTargetBody | null => {
  switch (kind) {
    case 'member':
      return member && { kind, accountId: member.accountId };
    case 'subscription':
      return subscriptionId.trim() === '' ? null : { kind, subscriptionId: subscriptionId.trim() };
    case 'event':
      return eventId.trim() === '' ? null : { kind, eventId: eventId.trim() };
    case 'window':
      return from === '' || to === '' || from >= to ? null : { kind, from: utc(from), to: utc(to) };
    default:
      return kind satisfies never;
  }
};

type TargetProps = Readonly<{
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  renderPicker: ReplayFormProps['renderPicker'];
}>;

const MemberTarget = ({ draft: { member }, onChange, renderPicker }: TargetProps): JSX.Element => (
  <>{renderPicker({ chosen: member, onChoose: (chosen) => onChange({ member: chosen }) })}</>
);

type IdFieldProps = Readonly<{
  id: string;
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}>;

const IdField = ({ id, label, placeholder, value, onChange }: IdFieldProps): JSX.Element => (
  <div className="field">
    <label className="label" htmlFor={id}>
      {label}
    </label>
    <input
      className="input mono"
      id={id}
      placeholder={placeholder}
      maxLength={255}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </div>
);

const WindowTarget = ({ draft: { from, to }, onChange }: TargetProps): JSX.Element => (
  <div className="replay-window">
    {(['from', 'to'] as const).map((name) => (
      <div className="field" key={name}>
        <label className="label" htmlFor={`replay-${name}`}>
          {name === 'from' ? 'From (UTC)' : 'To (UTC)'}
        </label>
        <input
          className="input"
          id={`replay-${name}`}
          type="datetime-local"
          value={name === 'from' ? from : to}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      </div>
    ))}
  </div>
);

const Target = (props: TargetProps): JSX.Element => {
  const { draft, onChange } = props;
  switch (draft.kind) {
    case 'member':
      return <MemberTarget {...props} />;
    case 'subscription':
      return (
        <IdField
          id="replay-subscription"
          label="Subscription"
          placeholder="sub_…"
          value={draft.subscriptionId}
          onChange={(subscriptionId) => onChange({ subscriptionId })}
        />
      );
    case 'event':
      return (
        <IdField
          id="replay-event"
          label="Event of Stripe"
          placeholder="evt_…"
          value={draft.eventId}
          onChange={(eventId) => onChange({ eventId })}
        />
      );
    case 'window':
      return <WindowTarget {...props} />;
    default:
      return draft.kind satisfies never;
  }
};

const draftOf = ({ member, subscriptionId, eventId }: ReplayStart): Draft => ({
  kind: eventId !== undefined ? 'event' : subscriptionId !== undefined ? 'subscription' : 'member',
  member: member ?? null,
  subscriptionId: subscriptionId ?? '',
  eventId: eventId ?? '',
  from: '',
  to: '',
});

export const modeNames = Object.keys(modes) as readonly ReplayModeName[];

/** What is to be replayed, and how. It always begins with a dry run. */
export const ReplayForm = ({
  start,
  renderPicker,
  isRunning,
  problem,
  onTry,
}: ReplayFormProps): JSX.Element => {
  const [draft, setDraft] = useState<Draft>(() => draftOf(start));
  const [mode, setMode] = useState<ReplayModeName>(start.mode ?? 'refetch');
  const offered = modeNames.filter((name) => modes[name].targets.includes(draft.kind));
  const chosen = offered.includes(mode) ? mode : 'refetch';
  const target = targetOf(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (target && !isRunning) onTry({ mode: chosen, target });
  };
  return (
    <section className="card" aria-labelledby="new-replay-title">
      <div className="card-head">
        <h2 id="new-replay-title">New replay</h2>
      </div>
      <div className="card-pad replay-form">
        <fieldset className="replay-choice">
          <legend className="label">What</legend>
          <div className="choice">
            {targetKinds.map(({ kind, name }) => (
              <label key={kind}>
                <input
                  type="radio"
                  name="replay-kind"
                  checked={draft.kind === kind}
                  onChange={() => setDraft({ ...draft, kind })}
                />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <Target
          draft={draft}
          renderPicker={renderPicker}
          onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        />
        <form className="replay-form" onSubmit={submit}>
          <fieldset className="replay-choice">
            <legend className="label">How</legend>
            <div className="replay-modes">
              {offered.map((name) => (
                <label className="radio replay-mode" key={name}>
                  <input
                    type="radio"
                    name="replay-mode"
                    checked={chosen === name}
                    onChange={() => setMode(name)}
                  />
                  <span>
                    {modes[name].name}
                    <span className="hint">{modes[name].text}</span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
          <InlineError problem={problem} />
          <div className="row">
            <ActionButton
              className="btn btn--primary"
              type="submit"
              isBusy={isRunning}
              disabled={target === null}
            >
              {isRunning ? 'Comparing...' : 'Show the difference'}
            </ActionButton>
            <span className="hint">A dry run: it changes nothing, and is recorded with your name.</span>
          </div>
        </form>
      </div>
    </section>
  );
};
