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

const intercepted = (handler: () => void, answer: unknown): Promise<unknown> => {
  // The interceptor uses no other method of the context.
  const context = { getHandler: () => handler } as unknown as ExecutionContext;
  return lastValueFrom(new TrustedAnswers(new Reflector()).intercept(context, { handle: () => of(answer) }));
};

describe('TrustedAnswers', () => {
  const { trusted, other } = Routes.prototype;

  it('accepts a trusted answer that fits its schema, also with undefined fields', async () => {
    const answer = { total: 1, left: undefined };
    expect(await intercepted(trusted, answer)).toBe(answer);
  });

  it.each([[{ total: 1, secret: 'more' }], [{ total: NaN }], [{}]])(
    'refuses the trusted answer %j and accepts it on other routes',
    async (answer) => {
      await expect(intercepted(trusted, answer)).rejects.toThrow(/total|does not name/);
      expect(await intercepted(other, answer)).toBe(answer);
    },
  );
});
