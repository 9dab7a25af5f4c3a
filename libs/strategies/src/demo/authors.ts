import { weighted, type Random } from './random.ts';

const beginnings =
  'al an be bo ca da de el fa gi ha il ja ka la le li ma mi na no ol pa ra ri sa se ta to va vi xa yu za'.split(
    ' ',
  );
const middles = 'b c d k l m n r s t v ll nn rt nd st'.split(' ');
const endings = 'a e i o u an ar as en er es in is on or us ix ek'.split(' ');
const trades =
  'Trader Quant Charts Capital Algo Labs FX Pips Trend Signals Research Wave Code Bars Systems'.split(' ');
const traits =
  'Quiet Patient Lazy Blue Silent Lucky Iron Swift Humble Nordic Urban Misty Golden Tiny Brave'.split(' ');
const animals =
  'Otter Heron Badger Falcon Lynx Marten Raven Moose Gecko Puffin Walrus Magpie Bison Tapir Ibex'.split(' ');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const word = (random: Random): string =>
  random.pick(beginnings) +
  random.pick(middles) +
  random.pick(endings) +
  (random.chance(0.3) ? random.pick(middles) + random.pick(endings) : '');

const drawShape = weighted<(random: Random) => string>([
  [(random) => word(random) + (random.chance(0.5) ? random.int(1, 99) : ''), 24],
  [(random) => capital(word(random)) + random.pick(trades), 22],
  [
    (random) => random.pick(traits) + random.pick(animals) + (random.chance(0.3) ? random.int(2, 99) : ''),
    16,
  ],
  [(random) => `${word(random)}_${random.pick(trades).toLowerCase()}`, 12],
  [(random) => `The${capital(word(random))}`, 8],
  [(random) => `${capital(word(random))} ${capital(word(random))}`, 8],
  [(random) => `${word(random)}${random.int(1960, 2005)}`, 6],
  [(random) => `${word(random).toUpperCase()}-${random.pick(trades)}`, 4],
]);

const authorCount = 1_400;
/** The larger, the more the first authors publish compared with the others. */
const skew = 0.6;

/** Makes authors and returns a function that draws one: a few publish a lot, most publish little. */
export const makeAuthors = (random: Random): ((random: Random) => string) => {
  const names = new Set<string>();
  while (names.size < authorCount) names.add(drawShape(random)(random));
  const authors = [...names];
  const bounds: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= authors.length; rank++) {
    total += rank ** -skew;
    bounds.push(total);
  }
  return ({ next }) => {
    const drawn = next() * total;
    let [low, high] = [0, bounds.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) < drawn) low = middle + 1;
      else high = middle;
    }
    return authors[low] ?? '';
  };
};
