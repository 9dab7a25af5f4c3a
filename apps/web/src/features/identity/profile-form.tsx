import { type CurrentUser, type ProfileBody } from '@tapedeck/identity/contract';
import { useState, type FormEvent, type JSX, type ReactNode } from 'react';
import { showToast } from '../../ui/toasts.tsx';

export type ProfileFormProps = Readonly<{
  user: CurrentUser;
  isPending: boolean;
  button: string;
  pendingButton: string;
  onSubmit: (profile: ProfileBody) => void;
  children?: ReactNode;
}>;

/** Discord Email and TradingView Username, both required. */
export const ProfileForm = (props: ProfileFormProps): JSX.Element => {
  const { user, isPending, button, pendingButton, onSubmit, children } = props;
  const [discordEmail, setDiscordEmail] = useState(user.discordEmail ?? '');
  const [tradingViewUsername, setTradingViewUsername] = useState(user.tradingViewUsername ?? '');
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const profile = { discordEmail: discordEmail.trim(), tradingViewUsername: tradingViewUsername.trim() };
    if (profile.discordEmail === '' || profile.tradingViewUsername === '') {
      const text = 'Please fill in all required fields.';
      return showToast({ kind: 'danger', title: 'Missing information', text });
    }
    if (event.currentTarget.reportValidity()) onSubmit(profile);
  };
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <div className="field">
        <label className="label" htmlFor="discord-email">
          Discord Email
        </label>
        <input
          className="input"
          id="discord-email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          value={discordEmail}
          onChange={({ target }) => setDiscordEmail(target.value)}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor="tradingview-username">
          TradingView Username
        </label>
        <input
          className="input"
          id="tradingview-username"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={100}
          value={tradingViewUsername}
          onChange={({ target }) => setTradingViewUsername(target.value)}
        />
      </div>
      <div className="row">
        <button className="btn btn--primary" type="submit" disabled={isPending}>
          {isPending ? pendingButton : button}
        </button>
        {children}
      </div>
    </form>
  );
};
