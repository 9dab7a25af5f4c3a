import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { EventTypes } from '@tapedeck/eventing/core';
import { accountId, type JsonObject } from '@tapedeck/kernel';
import { identityEvents, sentMailEvents } from '../events.ts';
import type { AccountEvent } from './account.ts';
import type { MailSent } from './sent-mails.ts';

type Stored = AccountEvent | MailSent;
type Samples = { readonly [Type in Stored['type']]: Extract<Stored, { type: Type }>['data'] };

const folder = new URL('golden/', import.meta.url);
const account = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');

/** The data that every stored version is upcast to. */
const expectedData: Samples = {
  AccountRegistered: {
    accountId: account,
    issuer: 'sandbox',
    subject: 'b42fbbbc',
    email: 'jane@example.com',
    emailVerified: true,
    firstName: 'Jane',
    lastName: null,
    profileImageUrl: 'https://example.com/jane.png',
  },
  EmailChanged: { accountId: account, email: 'jd@example.com', emailVerified: false },
  ProfileCompleted: {
    accountId: account,
    discordEmail: 'jane@discord.example',
    tradingViewUsername: 'jane_d',
  },
  RoleGranted: { accountId: account, role: 'admin', reason: 'on call' },
  RoleRevoked: { accountId: account, role: 'support', reason: 'left the team' },
  AccountForgotten: { accountId: account },
  MailSent: {
    accountId: account,
    mailId: '5f1c7a52-6a5e-5d0c-9d6e-0f7f6f3c2b11',
    kind: 'receipt',
    sentTo: 'jane@example.com',
    subject: 'Your receipt',
    hasText: true,
    text: 'Thank you.',
  },
};

const types: EventTypes = { ...identityEvents, ...sentMailEvents };
const definitions = Object.entries(types);

describe('stored events', () => {
  it('have one golden file for each type and version, and no others', () => {
    const expected = definitions.flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
    );
    expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
  });

  it.each(definitions)('of type %s read the same in every version', (type, { version, upcasters = [] }) => {
    for (let from = 1; from <= version; from++) {
      const stored = JSON.parse(readFileSync(new URL(`${type}.v${from}.json`, folder), 'utf8')) as JsonObject;
      const upcast = upcasters.slice(from - 1).reduce((data, upcaster) => upcaster(data), stored);
      expect(upcast).toEqual(expectedData[type as Stored['type']]);
    }
  });
});
