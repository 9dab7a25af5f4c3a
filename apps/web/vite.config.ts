import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

const textFont = /ibm-plex-sans-latin-wght-normal.*\.woff2$/;

/** Preloads the text font, so that text does not change its shape after the first paint. */
const preloadTextFont = (): Plugin => ({
  name: 'preload-text-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => textFont.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
          injectTo: 'head-prepend',
        })),
  },
});

/** What every page needs; the editor of SQL is loaded by its own page. */
const vendor = /node_modules\/(?!@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt)/;

export default defineConfig(({ command }) => {
  // A build is always for production, also when a test run with NODE_ENV "test" starts it.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    plugins: [react(), preloadTextFont()],
    resolve: { conditions: ['@tapedeck/source', ...defaultClientConditions] },
    build: {
      outDir: 'dist/site',
      emptyOutDir: true,
      // The content policy allows no inline script and no data: font.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // Dependencies change seldom: as a chunk of their own they stay in the browser's cache.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'vendor', test: vendor }] } } },
      chunkSizeWarningLimit: 700,
    },
    server: {
      port: Number(process.env.WEB_PORT ?? 5173),
      proxy: {
        '/api': { target: process.env.API_ORIGIN ?? 'http://127.0.0.1:4000', changeOrigin: false },
      },
    },
  };
});
