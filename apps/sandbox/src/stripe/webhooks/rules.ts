import type { StripeEvent } from '../engine/objects.ts';

/** What happens to the deliveries of some events, instead of one delivery at once. */
export type DeliveryRule = Readonly<{
  action: 'drop' | 'duplicate' | 'delay';
  /** Absent: all types. */
  types?: readonly string[] | undefined;
  /** How many events; absent: all. */
  count?: number | undefined;
  /** Of a duplicate: how many deliveries. */
  copies?: number | undefined;
  /** Of a delay, on the clock of the sandbox. */
  seconds?: number | undefined;
}>;

export type DeliveryRules = Readonly<{
  add: (rule: DeliveryRule) => void;
  clear: () => void;
  list: () => readonly DeliveryRule[];
  /** The rule for an event; counts it. */
  take: (event: StripeEvent) => DeliveryRule | undefined;
}>;

export const createDeliveryRules = (): DeliveryRules => {
  let rules: readonly DeliveryRule[] = [];
  return {
    add: (rule) => {
      rules = [...rules, rule];
    },
    clear: () => {
      rules = [];
    },
    list: () => rules,
    take: ({ type }) => {
      const found = rules.find(({ types }) => types === undefined || types.includes(type));
      if (found?.count === undefined) return found;
      const left = { ...found, count: found.count - 1 };
      rules = rules.flatMap((rule) => (rule === found ? (left.count > 0 ? [left] : []) : [rule]));
      return found;
    },
  };
};
