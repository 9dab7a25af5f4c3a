/** Ours is a random UUID; other products of the same account at Stripe use the same fields for other things. */
export const intentIdIn = (...candidates: readonly unknown[]): string | null => {
  const found = candidates.find((text) => typeof text === 'string' && /^[0-9a-f-]{36}$/.test(text));
  return typeof found === 'string' ? found : null;
};
