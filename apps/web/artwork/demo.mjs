// Draws public/demo/demo.webm frame by frame, with demo-scene.js and the encoder of the browser.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { webmOf } from './webm.mjs';

const require = createRequire(import.meta.url);
const framesPerSecond = 15;
const framesPerKey = 5 * framesPerSecond;
const fonts = [
  ['Plex Sans', '100 700', '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2'],
  ['Plex Mono', '400', '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2'],
  ['Plex Mono', '500', '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff2'],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
// The encoder exists in secure contexts only.
await page.route('https://demo.example/', (route) =>
  route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
);
await page.goto('https://demo.example/');
for (const [family, weight, file] of fonts) {
  const data = (await readFile(require.resolve(file ?? ''))).toString('base64');
  await page.evaluate(
    async ([name, thickness, bytes]) => {
      const face = new FontFace(name ?? '', `url(data:font/woff2;base64,${bytes})`, {
        weight: thickness ?? '',
      });
      document.fonts.add(await face.load());
    },
    [family, weight, data],
  );
}
await page.addScriptTag({ content: await readFile(new URL('demo-scene.js', import.meta.url), 'utf8') });

if (process.argv[2] === '--at') {
  for (const at of process.argv.slice(3)) {
    await page.setViewportSize({ width: 1_120, height: 770 });
    await page.evaluate((time) => void globalThis.draw(time), Number(at));
    await page.locator('canvas').screenshot({ path: `/tmp/demo-${at}.png` });
  }
} else {
  const { chunks, scene } = await page.evaluate(
    async ([rate, perKey]) => {
      const { draw, scene } = globalThis;
      const chunks = [];
      const encoder = new VideoEncoder({
        output: (chunk) => {
          const bytes = new Uint8Array(chunk.byteLength);
          chunk.copyTo(bytes);
          let text = '';
          for (const byte of bytes) text += String.fromCharCode(byte);
          chunks.push({
            data: btoa(text),
            isKey: chunk.type === 'key',
            ms: Math.round(chunk.timestamp / 1_000),
          });
        },
        error: (error) => {
          throw error;
        },
      });
      encoder.configure({
        codec: 'vp09.00.31.08',
        width: scene.width,
        height: scene.height,
        bitrate: 110_000,
        framerate: rate,
        latencyMode: 'quality',
      });
      for (let frame = 0; frame < scene.seconds * rate; frame++) {
        const picture = new VideoFrame(draw(frame / rate), {
          timestamp: (frame * 1_000_000) / rate,
          duration: 1_000_000 / rate,
        });
        encoder.encode(picture, { keyFrame: frame % perKey === 0 });
        picture.close();
        if (frame % 15 === 0) await encoder.flush();
      }
      await encoder.flush();
      return { chunks, scene };
    },
    [framesPerSecond, framesPerKey],
  );
  const file = webmOf({
    width: scene.width,
    height: scene.height,
    durationMs: scene.seconds * 1_000,
    frames: chunks.map(({ data, isKey, ms }) => ({ data: Buffer.from(data, 'base64'), isKey, ms })),
  });
  await writeFile(new URL('../public/demo/demo.webm', import.meta.url), file);
  process.stdout.write(`${chunks.length} frames, ${(file.length / 1_024).toFixed(0)} KB\n`);
}
await browser.close();
