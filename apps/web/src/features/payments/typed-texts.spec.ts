import { describe, expect, it } from '@jest/globals';
import { codeOf, emailProblem } from './typed-texts.ts';

describe('emailProblem', () => {
  it('refuses an empty address, spaces and a domain without a dot', () => {
    expect(emailProblem('')?.title).toBe('Email Required');
    expect(emailProblem('a b@example.com')?.title).toBe('Invalid Email');
    expect(emailProblem('someone@example')?.text).toBe('Please enter a valid email address');
    expect(emailProblem('someone@example.com')).toBeNull();
  });
});

describe('codeOf', () => {
  it('takes the six digits of a pasted text', () => {
    expect(codeOf('Code: 123 456.')).toBe('123456');
    expect(codeOf('12345678')).toBe('123456');
  });
});
