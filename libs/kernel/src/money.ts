/**
 * An amount of minor units with the sign of its currency. Some currencies have no minor unit.
 *
 * @example
 * moneyText(999, 'usd') // '$9.99'
 */
export const moneyText = (minorUnits: number, currency: string): string => {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
};
