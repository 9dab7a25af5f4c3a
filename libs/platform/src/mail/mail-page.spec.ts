import { describe, expect, it } from '@jest/globals';
import { plainMail, type MailContent } from '@tapedeck/kernel';
import { mailPage } from './mail-page.ts';

const hostile = `"><img src=x onerror='alert(1)'>&<script>alert(2)</script></title></style>`;
const escaped =
  '&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;&lt;script&gt;alert(2)&lt;/script&gt;&lt;/title&gt;&lt;/style&gt;';

const plain: MailContent = { kind: 'hello', subject: 'Hello', heading: 'Hello', paragraphs: ['Welcome.'] };

const contentWith: Readonly<Record<string, (value: string) => MailContent>> = {
  subject: (subject) => ({ ...plain, subject }),
  heading: (heading) => ({ ...plain, heading }),
  paragraph: (text) => ({ ...plain, paragraphs: [text] }),
  'name of a fact': (name) => ({ ...plain, facts: [[name, 'x']] }),
  'value of a fact': (value) => ({ ...plain, facts: [['x', value]] }),
  'label of the button': (label) => ({ ...plain, button: { label, url: 'https://tapedeck.example/' } }),
  'address of the button': (url) => ({ ...plain, button: { label: 'Open', url } }),
  note: (note) => ({ ...plain, notes: [note] }),
};

const tagsIn = (page: string): readonly string[] =>
  [...page.matchAll(/<\/?[a-z!][^\s>]*/gi)].map(([tag]) => tag);

describe('the page of a mail', () => {
  it.each(Object.keys(contentWith))('shows the %s as it is, whatever it contains', (name) => {
    const make = contentWith[name] ?? (() => plain);
    const page = mailPage(make(hostile));
    expect(page).toContain(escaped);
    expect(page).not.toContain(hostile);
    expect(tagsIn(page)).toEqual(tagsIn(mailPage(make('x'))));
  });

  it('has the parts in their order, without a table, a script or anything that is loaded', () => {
    const page = mailPage({
      ...plain,
      paragraphs: ['First.', 'Second.'],
      facts: [['Amount', '$9.99']],
      button: { label: 'Pay now', url: 'https://tapedeck.example/pay' },
      notes: ['A note.'],
    });
    const shown = page
      .slice(page.indexOf('<body'))
      .replaceAll(/<[^>]+>/g, '\n')
      .trim()
      .split(/\n+/);
    expect(shown).toEqual([
      'Tapedeck',
      'Hello',
      'First.',
      'Second.',
      'Amount',
      '$9.99',
      'Pay now',
      'Or open ',
      'https://tapedeck.example/pay',
      'A note.',
      'Tapedeck sent this e-mail because of your account or a purchase.',
    ]);
    expect(page).not.toMatch(/<(?:table|script|img|link|iframe|form)|url\(|@import|@font-face/i);
    expect(page).toContain('prefers-color-scheme: dark');
  });
});

describe('the plain text of a mail', () => {
  it('says the same as the page, with the address of the button on a line of its own', () => {
    const text = plainMail({
      ...plain,
      facts: [
        ['Amount', '$9.99'],
        ['Paid on', 'Jan 1, 2026'],
      ],
      button: { label: 'Pay now', url: 'https://tapedeck.example/pay' },
      notes: [hostile],
    });
    expect(text).toBe(
      `Hello\n\nWelcome.\n\nAmount: $9.99\nPaid on: Jan 1, 2026\n\nPay now:\nhttps://tapedeck.example/pay\n\n${hostile}\n\nTapedeck\nTapedeck sent this e-mail because of your account or a purchase.\n`,
    );
  });
});
