import { Toast } from 'radix-ui';
import { useSyncExternalStore, type JSX } from 'react';
import { createPortal } from 'react-dom';
import { useTopDialog } from './dialog.tsx';
import { ErrorDetails } from './error-details.tsx';
import { Icon } from './icon.tsx';

export type ToastAction = Readonly<{
  label: string;
  /** How else the same can be done, for people who do not reach the button in time. */
  altText: string;
  perform: () => void;
}>;

export type ToastMessage = Readonly<{
  kind: 'ok' | 'warn' | 'danger';
  title: string;
  text: string;
  action?: ToastAction;
  /** What support needs to find an error. */
  details?: string | null;
  /** What it is about, such as the action that has failed: `hideToast` removes it when that has succeeded. */
  cause?: string;
}>;
type ShownToast = Readonly<
  ToastMessage & {
    id: number;
    isOpen: boolean;
    /** Changes where no toast was open before: see `Toasts`. */
    opening: number;
  }
>;

const durationMs = 5_000;
const swipeThresholdPx = 50;

let shown: ShownToast | null = null;
const listeners = new Set<() => void>();

const setShown = (next: ShownToast | null): void => {
  shown = next;
  listeners.forEach((listener) => listener());
};

/** Shows one toast at a time: a newer message replaces the last one. */
export const showToast = (message: ToastMessage): void => {
  const { id = 0, isOpen = false, opening = 0 } = shown ?? {};
  setShown({ ...message, id: id + 1, isOpen: true, opening: isOpen ? opening : opening + 1 });
};

const hide = (): void => {
  if (shown?.isOpen) setShown({ ...shown, isOpen: false });
};

/** What it was about is over: the action has succeeded, or the field was corrected. */
export const hideToast = (cause: string): void => {
  if (shown?.cause === cause) hide();
};

/** The page that it was about was left. What has succeeded may still be undone. */
export const hideErrorToast = (): void => {
  if (shown?.kind === 'danger') hide();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const Toasts = (): JSX.Element => {
  const toast = useSyncExternalStore(subscribe, () => shown);
  // A modal dialog covers and disables everything that is not inside of it.
  const dialog = useTopDialog();
  const viewport = <Toast.Viewport className="toasts" />;
  return (
    // The pointer that closes a toast has stopped its time, and a provider remembers that: the next toast would stay for ever.
    <Toast.Provider
      key={toast?.opening}
      duration={durationMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
      {...(dialog ? { announcerContainer: dialog } : {})}
    >
      {toast && (
        <Toast.Root
          key={toast.id}
          className={`toast toast--${toast.kind}`}
          open={toast.isOpen}
          onOpenChange={(isOpen) => setShown({ ...toast, isOpen })}
        >
          <div>
            <Toast.Title asChild>
              <b>{toast.title}</b>
            </Toast.Title>
            <Toast.Description asChild>
              <span>{toast.text}</span>
            </Toast.Description>
            {toast.details && (
              <div data-radix-toast-announce-exclude="">
                <ErrorDetails details={toast.details} />
              </div>
            )}
          </div>
          {toast.action && (
            <Toast.Action asChild altText={toast.action.altText}>
              <button className="btn btn--sm" type="button" onClick={toast.action.perform}>
                {toast.action.label}
              </button>
            </Toast.Action>
          )}
          <Toast.Close className="btn btn--quiet btn--icon btn--sm" aria-label="Dismiss">
            <Icon name="x" small />
          </Toast.Close>
        </Toast.Root>
      )}
      {dialog ? createPortal(viewport, dialog) : viewport}
    </Toast.Provider>
  );
};
