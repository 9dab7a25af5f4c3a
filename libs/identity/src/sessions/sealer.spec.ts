import { describe, expect, it } from '@jest/globals';
import { createSealer } from './sealer.ts';

const secret = 'x'.repeat(32);
const sealer = createSealer(secret, 'cookies');

describe('createSealer', () => {
  it.each(['', 'a', '{"state":"ä€😀"}'])('opens %j after sealing it', (text) => {
    expect(sealer.open(sealer.seal(text))).toBe(text);
  });

  it('seals the same text differently each time and hides it', () => {
    const [one, two] = [sealer.seal('secret word'), sealer.seal('secret word')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[\w-]+$/);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('secret');
  });

  it('does not open a text of which one bit was changed', () => {
    const bytes = Buffer.from(sealer.seal('secret word'), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(sealer.open(changed.toString('base64url'))).toBeUndefined();
    }
  });

  it.each(['', 'x', 'A'.repeat(38), 'not base64url at all!'])(
    'does not open %j, which was not sealed',
    (text) => {
      expect(sealer.open(text)).toBeUndefined();
    },
  );

  it('does not open a text that was sealed for another purpose or with another secret', () => {
    const sealed = sealer.seal('secret word');
    expect(createSealer(secret, 'id token').open(sealed)).toBeUndefined();
    expect(createSealer('y'.repeat(32), 'cookies').open(sealed)).toBeUndefined();
  });
});
