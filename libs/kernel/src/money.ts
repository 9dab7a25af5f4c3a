const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (currency: string): Intl.NumberFormat => {
  const known = formats.get(currency);
  if (known) return known;
  const created = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  formats.set(currency, created);
  return created;
};

/**
 * An amount of minor units with the sign of its currency. Some currencies have no minor unit.
 *
 * @throws RangeError for what cannot be the code of a currency
 * @example
 * moneyText(999, 'usd') // '$9.99'
 */
export const moneyText = (minorUnits: number, currency: string): string => {
  const format = formatOf(currency.toUpperCase());
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
};
