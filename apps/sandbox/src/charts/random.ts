import { createHash } from 'node:crypto';

const digestOf = (urlId: string): Buffer => createHash('sha256').update(`chart ${urlId}`).digest();

const missingPerThousand = 30;

/** The site lacks a few strategies, so that the product's answer to that can be seen. */
export const isOnSite = (urlId: string): boolean =>
  digestOf(urlId).readUInt32BE(0) % 1_000 >= missingPerThousand;

/** Numbers from 0 to 1, the same for the same strategy. */
export const numbersOf = (urlId: string): (() => number) => {
  let state = digestOf(urlId).readUInt32BE(4);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
