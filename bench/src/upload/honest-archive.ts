import { demoRecords } from '@tapedeck/strategies/demo';
import { writeZip } from '@tapedeck/strategies/testing';

const seed = 20_261_123;
const noiseCharacters = 64;

/** Text that hardly compresses, as scripts and descriptions of many authors do together. */
const noiseOf = (length: number, start: number): string => {
  let state = start;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += String.fromCharCode(48 + ((state >>> 16) % noiseCharacters));
  }
  return text;
};

/** An archive of strategies, one JSON file each; `noise` characters of each strategy hardly compress. */
export const honestArchive = (count: number, noise: number): Buffer =>
  writeZip(
    [...demoRecords({ count, seed })].map((record, n) => ({
      name: `${record.url_id}.json`,
      data: JSON.stringify({
        ...record,
        full_description: `${record.full_description ?? ''} ${noiseOf(noise, seed + n)}`,
      }),
    })),
  );
