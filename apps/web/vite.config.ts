import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite';
import { landingBudget, landingInDevelopment, landingInOneFile } from './vite/landing.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

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

/** What every script with a component needs. */
const reactItself = /node_modules\/(?:react|react-dom|scheduler)\//;

const apiOrigin = process.env.API_ORIGIN ?? 'http://127.0.0.1:4000';
const ofWorkspaces = '@tapedeck/source';

export default defineConfig(({ command }) => {
  // A build is always for production, also when a test run with NODE_ENV "test" starts it.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: pathOf('.'),
    plugins: [
      react(),
      preloadTextFont(),
      landingInOneFile(),
      landingInDevelopment(apiOrigin),
      landingBudget(),
    ],
    resolve: { conditions: [ofWorkspaces, ...defaultClientConditions] },
    environments: {
      client: {
        build: {
          outDir: 'dist/site',
          emptyOutDir: true,
          // The content policy allows no inline script and no data: font.
          modulePreload: { polyfill: false },
          assetsInlineLimit: 0,
          rolldownOptions: {
            input: { app: pathOf('index.html'), landing: pathOf('landing.html') },
            // A schema that nothing uses is left out: the contracts of the modules only declare.
            treeshake: {
              manualPureFunctions: ['z'],
              moduleSideEffects: [{ test: /\/libs\/[^/]+\/src\//, sideEffects: false }],
            },
            // Dependencies change seldom: as chunks of their own they stay in the browser's cache.
            output: {
              codeSplitting: {
                groups: [
                  { name: 'react', test: reactItself, priority: 1 },
                  { name: 'vendor', test: vendor, entriesAware: true },
                ],
              },
            },
          },
          chunkSizeWarningLimit: 700,
        },
      },
      // Renders the landing page in the API, with all that it imports in one file.
      ssr: {
        resolve: { conditions: [ofWorkspaces, ...defaultServerConditions], noExternal: true },
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
        build: {
          outDir: 'dist/render',
          emptyOutDir: true,
          copyPublicDir: false,
          minify: true,
          rolldownOptions: { input: { landing: pathOf('src/landing/render.tsx') } },
        },
      },
    },
    builder: {
      buildApp: async (builder) => {
        for (const environment of Object.values(builder.environments)) await builder.build(environment);
      },
    },
    server: {
      port: Number(process.env.WEB_PORT ?? 5173),
      proxy: {
        '/api': { target: apiOrigin, changeOrigin: false },
        '/public-objects': { target: apiOrigin, changeOrigin: false },
      },
    },
  };
});
