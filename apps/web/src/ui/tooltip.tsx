import { Tooltip as Radix } from 'radix-ui';
import type { JSX, ReactElement } from 'react';

const delayMs = 700;

export type TooltipProps = Readonly<{
  text: string;
  /** The control: a button or a link. */
  children: ReactElement;
}>;

/** Names a control without a text, beside it. It has a name of its own for people who do not see the tooltip. */
export const Tooltip = ({ text, children }: TooltipProps): JSX.Element => (
  <Radix.Provider delayDuration={delayMs}>
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" side="bottom" sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  </Radix.Provider>
);
