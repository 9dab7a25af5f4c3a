import { describe, expect, it } from '@jest/globals';
import { isStrategyId, strategyId } from './ids.ts';

const invalid = expect.objectContaining({ name: 'DomainError', kind: 'invalid' });

describe('strategyId', () => {
  it('accepts 8 letters or digits and keeps their case', () => {
    expect(strategyId('S3LKflwr')).not.toBe(strategyId('s3lkflwr'));
    for (const wrong of ['', 'S3LKflw', 'S3LKflwrX', 'S3LK flw', 'S3LKflw\n', 'Ｓ3LKflwr']) {
      expect(isStrategyId(wrong)).toBe(false);
      expect(() => strategyId(wrong)).toThrow(invalid);
    }
  });
});
