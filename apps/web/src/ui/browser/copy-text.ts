import { showToast } from '../toasts.tsx';

/** Puts a text on the clipboard, and says whether it is there. `what`: such as `The value`. */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'ok', title: 'Copied', text: `${what} is on your clipboard` });
  } catch {
    showToast({
      kind: 'danger',
      title: 'Not copied',
      text: 'The browser does not allow it: select the text instead',
    });
  }
};
