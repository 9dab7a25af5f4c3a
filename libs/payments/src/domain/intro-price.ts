import { commandTarget, defineEvents, type Decider, type DomainEvent } from '@tapedeck/eventing/core';
import type { IntentId } from './checkout.ts';

/** `personHash` stands for one account or one folded e-mail address (docs/product-decisions.md#introductory-price). */
type Subject = Readonly<{ personHash: string; intentId: IntentId }>;

/** An open checkout session has the introductory price; no other one gets it until `until`. */
export type IntroPriceReserved = DomainEvent<'IntroPriceReserved', Subject & { until: string }>;
/** The session has ended without a purchase. */
export type IntroPriceReleased = DomainEvent<'IntroPriceReleased', Subject>;
export type IntroPriceUsed = DomainEvent<'IntroPriceUsed', Subject>;

export type IntroPriceEvent = IntroPriceReserved | IntroPriceReleased | IntroPriceUsed;

export const introPriceEvents = defineEvents<IntroPriceEvent>({
  IntroPriceReserved: { version: 1 },
  IntroPriceReleased: { version: 1 },
  IntroPriceUsed: { version: 1 },
});

export const introPriceStream = (personHash: string): string => `introPrice-${personHash}`;

/** Whether one person, by account or by e-mail address, may still get the introductory price. */
export type IntroPrice = Readonly<{
  usedBy: IntentId | null;
  reserved: Readonly<{ intentId: IntentId; until: string }> | null;
}>;

export type ReserveIntroPrice = Readonly<
  { type: 'ReserveIntroPrice' } & Subject & { until: string; now: string }
>;
export type ReleaseIntroPrice = Readonly<{ type: 'ReleaseIntroPrice' } & Subject>;
export type UseIntroPrice = Readonly<{ type: 'UseIntroPrice' } & Subject>;
export type IntroPriceCommand = ReserveIntroPrice | ReleaseIntroPrice | UseIntroPrice;

/** Whether another checkout has it, or may still be paid with it. */
export const isTaken = ({ usedBy, reserved }: IntroPrice, now: string): boolean =>
  usedBy !== null || (reserved !== null && reserved.until > now);

/** Whether the checkout has the introductory price: the outcome of `ReserveIntroPrice`. */
export const hasIntroPrice = ({ usedBy, reserved }: IntroPrice, intentId: IntentId): boolean =>
  usedBy === null ? reserved?.intentId === intentId : usedBy === intentId;

const decide = (command: IntroPriceCommand, state: IntroPrice): readonly IntroPriceEvent[] => {
  const { usedBy, reserved } = state;
  const { personHash, intentId } = command;
  const isHolder = reserved?.intentId === intentId;
  switch (command.type) {
    case 'ReserveIntroPrice':
      return isTaken(state, command.now)
        ? []
        : [{ type: 'IntroPriceReserved', data: { personHash, intentId, until: command.until } }];
    case 'ReleaseIntroPrice':
      return isHolder && usedBy === null
        ? [{ type: 'IntroPriceReleased', data: { personHash, intentId } }]
        : [];
    case 'UseIntroPrice':
      return usedBy === null ? [{ type: 'IntroPriceUsed', data: { personHash, intentId } }] : [];
    default:
      return command satisfies never;
  }
};

const evolve = (state: IntroPrice, { type, data }: IntroPriceEvent): IntroPrice => {
  switch (type) {
    case 'IntroPriceReserved':
      return { ...state, reserved: { intentId: data.intentId, until: data.until } };
    case 'IntroPriceReleased':
      return { ...state, reserved: null };
    case 'IntroPriceUsed':
      return { usedBy: data.intentId, reserved: null };
    default:
      return type satisfies never;
  }
};

export const introPriceDecider: Decider<IntroPrice, IntroPriceCommand, IntroPriceEvent> = {
  initialState: { usedBy: null, reserved: null },
  decide,
  evolve,
};

export const introPrices = commandTarget(introPriceDecider, introPriceEvents);
