import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const libs = fileURLToPath(new URL('../../', import.meta.url));

/** By what a file appends, sends commands, writes SQL or changes something at Stripe. */
const writes: readonly (readonly [string, RegExp])[] = [
  ['appends', /\.append\(/],
  ['deletes keys', /\.forget\(/],
  ['executes commands', /\b(?:CommandBus|directCommands\(|dispatch\(|handle\()/],
  ['writes SQL', /\b(?:insert\s+into|update\s+[\w."]+\s+(?:\w+\s+)?set|delete\s+from|truncate)\b/i],
  ['may write to Stripe', /\bStripe(?:Port|Requests)\b/],
];

const writesIn = (text: string): readonly string[] =>
  writes.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);

const files = readdirSync(libs, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /^[\w-]+\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|\/testing\//.test(file),
);
const textOf = (file: string): string => readFileSync(join(libs, file), 'utf8');
const queryFiles = files.filter(
  (file) => file.includes('/src/queries/') || textOf(file).includes('@QueryHandler('),
);

describe('a query', () => {
  it('does not write', () => {
    expect(queryFiles.length).toBeGreaterThan(40);
    const writing = queryFiles.flatMap((file) => writesIn(textOf(file)).map((what) => `${file} ${what}`));
    expect(writing).toEqual([]);
  });

  it.each([
    ['appends', 'await store.append(stream, 3, events);'],
    ['deletes keys', 'await store.forget(account);'],
    ['executes commands', 'constructor(commands: CommandBus) {'],
    ['executes commands', 'this.#commands = directCommands(store, clock);'],
    ['executes commands', 'this.#handle = handle(store, decider, types);'],
    ['writes SQL', 'insert into notes values (1)'],
    ['writes SQL', 'UPDATE notes n\n set text = 1'],
    ['writes SQL', 'delete from notes'],
    ['may write to Stripe', 'readonly #stripe: StripePort;'],
    ['may write to Stripe', "stripe: Pick<StripeRequests, 'forgetCustomer'>"],
  ])('that %s would be found', (name, text) => {
    expect(writesIn(text)).toEqual([name]);
  });
});
