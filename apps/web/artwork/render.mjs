// Draws the pictures in public/ that browsers and other sites show of this site. After a change of the logo, or of what
// is drawn here: npm run build, then node apps/web/artwork/render.mjs (CHROMIUM: the browser that draws them).
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const publicFolder = new URL('../public/', import.meta.url);
const fontOf = async (/** @type {string} */ file) =>
  `data:font/woff2;base64,${(await readFile(require.resolve(file))).toString('base64')}`;

const favicon = await readFile(new URL('favicon.svg', publicFolder), 'utf8');
const icon = favicon.replace(/^<svg[^>]*>/, '').replace('</svg>', '');
/** The corners are cut by whatever shows it, so the drawing is smaller and its background fills the square. */
const maskable = icon.replace(
  /<rect[^>]*>/,
  '<rect width="24" height="24" fill="#1f1b17"/><g transform="translate(4.4 4.4) scale(.63)">',
);
const svg = (/** @type {string} */ content, /** @type {number} */ size) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="${size}" height="${size}" style="display:block">${content}</svg>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

/** @param {string} html @param {number} width @param {number} height */
const draw = async (html, width, height) => {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<body style="margin:0;background:transparent">${html}</body>`);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
};
const drawIcon = (/** @type {string} */ content, /** @type {number} */ size) =>
  draw(svg(content, size), size, size);

/** An ICO file with one PNG. @param {Buffer} png @param {number} size */
const icoOf = (png, size) => {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
};

/** The sweep of the landing page, as the build renders it. */
const sweep = async () => {
  const { renderLanding } = await import('../dist/render/landing.js');
  const config = JSON.parse(await readFile(new URL('config.json', import.meta.url), 'utf8'));
  const { body } = renderLanding({ publicOrigin: 'https://tapedeck.example', hasSession: false, config });
  return {
    grid: /<svg class="sweep"[^]*?<\/svg>/.exec(body)?.[0] ?? '',
    logo: /aria-label="Tapedeck, home">([^]*?)<\/a>/.exec(body)?.[1] ?? '',
  };
};

const preview = async () => {
  const { grid, logo } = await sweep();
  const sans = await fontOf('@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2');
  const shades = Array.from({ length: 11 }, (_, shade) => `.shade-${shade}{--shade:${shade * 10}%}`).join('');
  return draw(
    `<style>
      @font-face { font-family: Plex; src: url(${sans}); font-weight: 100 700; }
      .card { position: relative; box-sizing: border-box; width: 1200px; height: 630px; padding: 64px 72px; background: #120f0d; color: #eae8e3; font: 600 60px/72px Plex; letter-spacing: -0.03em; }
      .logo { display: flex; gap: 16px; align-items: center; height: 46px; }
      .logo svg { height: 46px; width: auto; }
      .playhead { stroke: #f8b533; }
      h1 { position: absolute; left: 72px; top: 200px; margin: 0; font: inherit; }
      p { position: absolute; left: 72px; top: 372px; width: 480px; margin: 0; color: #b3afa8; font: 400 28px/40px Plex; letter-spacing: 0; }
      .sweep { position: absolute; right: 72px; top: 150px; width: 430px; height: 330px; overflow: visible; }
      .sweep path { fill: none; stroke: color-mix(in oklab, #f8b533 var(--shade, 0%), #1a1714); stroke-width: 0.92; }
      .sweep .todo { stroke: #4a4540; stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
      .sweep .best { stroke: #eae8e3; stroke-width: 3; vector-effect: non-scaling-stroke; }
      .tape { position: absolute; left: 0; right: 0; bottom: 54px; height: 18px; border-top: 2px solid #79736b; background: repeating-linear-gradient(90deg, #79736b 0 2px, transparent 2px 80px) 0 0 / 100% 16px no-repeat, repeating-linear-gradient(90deg, #79736b 0 2px, transparent 2px 16px) 0 0 / 100% 8px no-repeat; }
      .tape::after { content: ''; position: absolute; left: 72px; top: -18px; width: 5px; height: 44px; background: #f8b533; }
      ${shades}
    </style>
    <div class="card">
      <div class="logo">${logo}</div>
      <h1>Every setting tried.<br>Every result on tape.</h1>
      <p>A backtesting extension, and 4,500+ analysed strategies</p>
      ${grid}
      <div class="tape"></div>
    </div>`,
    1_200,
    630,
  );
};

const pictures = {
  'icon-192.png': await drawIcon(icon, 192),
  'icon-512.png': await drawIcon(icon, 512),
  'icon-maskable-512.png': await drawIcon(`${maskable}</g>`, 512),
  'apple-touch-icon.png': await drawIcon(icon.replace(' rx="5"', ''), 180),
  'favicon.ico': icoOf(await drawIcon(icon, 32), 32),
  'og.png': await preview(),
};
for (const [name, picture] of Object.entries(pictures)) await writeFile(new URL(name, publicFolder), picture);
await browser.close();
