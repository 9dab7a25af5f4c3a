import { describe, expect, it } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, of } from 'rxjs';
import * as z from 'zod';
import { Returns } from '../http/routes.ts';
import { TrustedAnswers } from './trusted-answers.ts';

class Routes {
  @Returns(200, z.object({ total: z.number() }), { trusted: true })
  trusted(): void {}

  @Returns(200, z.object({ total: z.number() }))
  other(): void {}
}

const answered = (handler: () => void, answer: unknown): Promise<unknown> => {
  // Nest's context has far more; the interceptor asks for the handler only.
  // All that is looked at of a context.
  const context = { getHandler: () => handler } as unknown as ExecutionContext;
  return lastValueFrom(new TrustedAnswers(new Reflector()).intercept(context, { handle: () => of(answer) }));
};

describe('a trusted answer in a test', () => {
  const { trusted, other } = Routes.prototype;

  it('passes when it is what its schema says, whatever is left undefined', async () => {
    const answer = { total: 1, left: undefined };
    expect(await answered(trusted, answer)).toBe(answer);
  });

  it.each([[{ total: 1, secret: 'more' }], [{ total: NaN }], [{}]])(
    'fails when it is not: %j',
    async (answer) => {
      await expect(answered(trusted, answer)).rejects.toThrow(/total|does not name/);
      expect(await answered(other, answer)).toBe(answer);
    },
  );
});
