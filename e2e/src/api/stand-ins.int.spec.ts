import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { openClock } from '@tapedeck/platform/clock';
import { createMailer } from '@tapedeck/platform/mail';
import { freePort, temporaryFolder } from '@tapedeck/platform/testing';
import { startSandbox, type Sandbox } from '@tapedeck/sandbox/testing';

const folder = temporaryFolder();
const dayMs = 86_400_000;
let mailPort: number;
let sandbox: Sandbox;

const start = (port = 0): Promise<Sandbox> =>
  startSandbox({
    port,
    mailPort,
    clientId: 'x',
    clientSecret: 'x'.repeat(20),
    redirectOrigins: ['http://localhost:1'],
    dataFolder: folder.path,
    onError: () => undefined,
  });

beforeAll(async () => {
  mailPort = await freePort();
  sandbox = await start();
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

/** Milliseconds between the clock and the system's time, as good as known at once. */
const distance = (clock: { now: () => number }): number => Math.round((clock.now() - Date.now()) / 1_000);

describe('the clock of the sandbox', () => {
  it('is the clock of the product, also after a restart', async () => {
    const clock = await openClock(`${sandbox.issuer}/clock`);
    expect(distance(clock)).toBe(0);
    await sandbox.clock.advanceTo(clock.now() + 40 * dayMs);
    await eventually(() => expect(distance(clock)).toBe((40 * dayMs) / 1_000));
    const { port } = sandbox;
    await sandbox.close();
    expect(distance(clock)).toBe((40 * dayMs) / 1_000);
    sandbox = await start(port);
    await sandbox.clock.advanceTo(clock.now() + dayMs);
    await eventually(() => expect(distance(clock)).toBe((41 * dayMs) / 1_000));
    clock.close();
  });

  it('stops at each time at which work is due, in order, and refuses to go back', async () => {
    const begin = sandbox.clock.now();
    const due = [2, 1, 3].map((hours) => begin + hours * 3_600_000);
    const seen: number[] = [];
    sandbox.clock.addWork({
      nextDue: (upTo) => {
        const next = Math.min(...due.filter((ms) => !seen.includes(ms)));
        return next <= upTo ? next : undefined;
      },
      runDue: async () => {
        const now = sandbox.clock.now();
        seen.push(...due.filter((ms) => ms <= now && !seen.includes(ms)));
      },
    });
    await sandbox.clock.advanceTo(begin + 2.5 * 3_600_000);
    expect(seen).toEqual([due[1], due[0]]);
    await expect(sandbox.clock.advanceTo(begin)).rejects.toMatchObject({ code: 'CLOCK_MOVES_FORWARD' });
  });

  it('is missed at the start with a sentence that names the variable', async () => {
    await expect(openClock('http://127.0.0.1:1/clock', 300)).rejects.toThrow(/CLOCK_URL .* does not answer/);
  });
});

type Shown = Readonly<{ id: string; to: readonly string[]; subject: string; text: string; html: string }>;

const hello = { kind: 'hello', subject: 'Hello', heading: 'Hello', paragraphs: ['Welcome.'] };

describe('the mailbox of the sandbox', () => {
  const mailsTo = async (to: string): Promise<readonly Shown[]> =>
    (await fetch(`${sandbox.issuer}/mailbox/mails.json?to=${encodeURIComponent(to)}`)).json() as Promise<
      readonly Shown[]
    >;

  it('shows what the product sends, and a repetition once', async () => {
    const mailer = createMailer({ url: `smtp://127.0.0.1:${mailPort}`, from: 'Tapedeck <a@b.example>' });
    const mail = {
      ...hello,
      id: 'mail-1',
      to: 'élan@example.com',
      subject: 'Your code: 123456 <b>',
      paragraphs: ['Héllo, <img src=x onerror=alert(1)>'],
      button: { label: 'Open', url: 'http://localhost:1/x?a=1&b=2' },
    };
    await mailer.send(mail);
    await mailer.send(mail);
    mailer.close();
    expect(await mailsTo(mail.to)).toMatchObject([
      {
        id: 'mail-1@b.example',
        to: [mail.to],
        subject: mail.subject,
        text: expect.stringContaining('Héllo, <img src=x onerror=alert(1)>'),
        html: expect.stringContaining('Héllo, &lt;img src=x onerror=alert(1)&gt;'),
      },
    ]);
    const list = await (await fetch(`${sandbox.issuer}/mailbox`)).text();
    expect(list).toContain('Your code: 123456 &lt;b&gt;');
    const page = await (await fetch(`${sandbox.issuer}/mailbox/mail-1%40b.example`)).text();
    expect(page).toContain('href="http://localhost:1/x?a=1&amp;b=2"');
    expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(page).not.toContain('<img');
    const shown = await fetch(`${sandbox.issuer}/mailbox/mail-1%40b.example/page`);
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; .*sandbox allow-popups/);
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
    expect(await shown.text()).toContain('Héllo, &lt;img');
    expect((await fetch(`${sandbox.issuer}/mailbox/none/page`)).status).toBe(404);
  });

  it('sends to exactly the given address, whatever it contains', async () => {
    const mailer = createMailer({ url: `smtp://127.0.0.1:${mailPort}`, from: 'a@b.example' });
    const two = 'one@example.com, two@example.com';
    await mailer.send({ ...hello, id: 'mail-2', to: two }).catch(() => undefined);
    expect(await mailsTo('two@example.com')).toEqual([]);
    mailer.close();
  });

  it('is unavailable for the product while it does not run', async () => {
    const mailer = createMailer({ url: 'smtp://127.0.0.1:1', from: 'a@b.example' });
    const sent = mailer.send({ ...hello, id: 'mail-3', to: 'c@d.example' });
    await expect(sent).rejects.toMatchObject({ kind: 'unavailable', code: 'MAIL_UNAVAILABLE' });
  });
});
