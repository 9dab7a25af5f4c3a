import { type CurrentUser, type ProfileBody } from '@tapedeck/identity/contract';
import {
  useEffect,
  useRef,
  useState,
  type FormEvent,
  type InputHTMLAttributes,
  type JSX,
  type ReactNode,
} from 'react';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { hideToast, showToast } from '../../ui/toasts.tsx';
import {
  profileFields,
  profileLabels,
  profileProblems,
  type ProfileField,
  type ProfileProblems,
} from './profile-problems.ts';

export type ProfileFormProps = Readonly<{
  user: CurrentUser;
  isPending: boolean;
  button: string;
  pendingButton: string;
  /** Why it was not saved. */
  problem: Problem | null;
  onSubmit: (profile: ProfileBody) => void;
  children?: ReactNode;
}>;

const inputs: Readonly<
  Record<ProfileField, InputHTMLAttributes<HTMLInputElement> & Readonly<{ id: string }>>
> = {
  discordEmail: { id: 'discord-email', type: 'email', autoComplete: 'email', maxLength: 254 },
  tradingViewUsername: {
    id: 'tradingview-username',
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 100,
  },
};

type FieldProps = Readonly<{
  field: ProfileField;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}>;

const Field = ({ field, value, problem, onChange }: FieldProps): JSX.Element => {
  const { id, ...input } = inputs[field];
  const problemId = `${id}-problem`;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {profileLabels[field]}
        <span className="required" aria-hidden="true">
          {' *'}
        </span>
      </label>
      <input
        {...input}
        className="input"
        id={id}
        required
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {problem !== undefined && (
        <span className="error" id={problemId}>
          <Icon name="warn" small />
          {problem}
        </span>
      )}
    </div>
  );
};

const missing = { title: 'Missing information', text: 'Please fill in all required fields.' } as const;
const hideMissing = (): void => hideToast(missing.title);

/** Discord Email and TradingView Username, both required. What is wrong stands at its field, and the first one gets the focus. */
export const ProfileForm = (props: ProfileFormProps): JSX.Element => {
  const { user, isPending, button, pendingButton, problem, onSubmit, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<ProfileBody>({
    discordEmail: user.discordEmail ?? '',
    tradingViewUsername: user.tradingViewUsername ?? '',
  });
  const [problems, setProblems] = useState<ProfileProblems>({});
  useEffect(() => hideMissing, []);
  const change = (field: ProfileField, value: string): void => {
    setTyped({ ...typed, [field]: value });
    setProblems({ ...problems, [field]: undefined });
    hideMissing();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isPending) return;
    const profile = {
      discordEmail: typed.discordEmail.trim(),
      tradingViewUsername: typed.tradingViewUsername.trim(),
    };
    const found = profileProblems(profile);
    setProblems(found);
    const first = profileFields.find((field) => found[field] !== undefined);
    if (!first) return onSubmit(profile);
    form.current?.querySelector<HTMLInputElement>(`#${inputs[first].id}`)?.focus();
    const isMissing = profileFields.some((field) => profile[field] === '');
    if (isMissing) showToast({ kind: 'danger', ...missing, cause: missing.title });
  };
  return (
    <form className="stack" noValidate ref={form} onSubmit={submit}>
      {profileFields.map((field) => (
        <Field
          key={field}
          field={field}
          value={typed[field]}
          problem={problems[field]}
          onChange={(value) => change(field, value)}
        />
      ))}
      <p className="hint">
        <span className="required">*</span> required
      </p>
      <InlineError problem={problem} />
      <div className="row">
        <ActionButton className="btn btn--primary" type="submit" isBusy={isPending}>
          {isPending ? pendingButton : button}
        </ActionButton>
        {children}
      </div>
    </form>
  );
};
