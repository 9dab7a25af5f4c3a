import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { captureAddress, type CaptureAnswer } from '../capturer/wire.ts';
import { captureSecret } from './capture-process.ts';

/** In place of the capture process and its browser. */
export type ScriptedCapture = Readonly<{
  url: string;
  /** What it answers from now on. */
  answer: (answer: CaptureAnswer | 'nothing') => void;
  /** Holds the answers from now on; the returned function sends them. */
  hold: () => () => void;
  asked: () => readonly string[];
  close: () => Promise<void>;
}>;

/** Bytes that begin as a picture in each format; `content` makes it another one. */
export const pictureOf = (content: string): CaptureAnswer => {
  const encoded = (start: string): string => Buffer.from(start + content, 'latin1').toString('base64');
  return {
    outcome: 'captured',
    width: 1_600,
    height: 1_000,
    pictures: {
      png: encoded('\x89PNG\r\n\x1a\n'),
      webp: encoded('RIFF\0\0\0\0WEBP'),
      avif: encoded('\0\0\0\x1cftypavif'),
    },
  };
};

export const startScriptedCapture = async (): Promise<ScriptedCapture> => {
  let current: CaptureAnswer | 'nothing' = pictureOf('first');
  let held: Promise<void> = Promise.resolve();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const isOurs = request.headers.authorization === `Bearer ${captureSecret}`;
      if (!isOurs || request.url !== captureAddress) return void response.writeHead(401).end();
      asked.push((JSON.parse(body) as { urlId: string }).urlId);
      void held.then(() => {
        if (current === 'nothing') return response.destroy();
        return response.writeHead(200).end(JSON.stringify(current));
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (answer) => {
      current = answer;
    },
    hold: () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
