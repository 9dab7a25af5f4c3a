// Which file may import which: one rule per boundary, checked by `npm run check` (tools/checks/src/boundaries.mjs).
// Every rule has a file in tools/checks/fixtures/boundaries that breaks it; a rule that misses its file fails the check.
import { builtinModules } from 'node:module';

/** The fixtures mirror the paths of the repository. */
const top = '^(?:tools/checks/fixtures/boundaries/)?';
const tests = '\\.spec\\.tsx?$|/testing/|/testing\\.ts$|^e2e/';
const nodeModules = `^(?:node:)?(?:${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`;

/** A package from npm, by its name or the beginning of its name. @param {readonly string[]} names */
const npm = (...names) => `node_modules/(?:${names.join('|')})`;
/** Files of one of our libraries, or of several. @param {readonly string[]} names */
const libs = (...names) => `${top}libs/(?:${names.join('|')})/`;

const layers = ['kernel', 'plans', 'eventing', 'platform', 'search-engine', 'columnar', 'elasticsearch'];
/** A module of the product: every library except the layers below the modules. The group is its name. */
const modules = `${top}libs/(?!(?:${layers.join('|')})/)([^/]+)/`;
const otherModules = (/** @type {readonly string[]} */ ...entryPoints) => ({
  path: modules,
  pathNot: [`${top}libs/$1/`, `${top}libs/[^/]+/src/(?:${entryPoints.join('|')})\\.ts$`],
});

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  {
    name: 'no-cycles',
    comment:
      'Files that import each other (also by `import type`) can only be understood together. Move what both need into a file below them.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'packages-by-name',
    comment:
      'A package is entered through the `exports` of its package.json. Import `@tapedeck/<package>/<entry>`, not a relative path into its folder.',
    from: { path: `${top}(libs/[^/]+|apps/[^/]+|tools/[^/]+|bench|torture|e2e)/` },
    to: {
      path: `${top}(?:libs|apps|tools|bench|torture|e2e)/`,
      pathNot: `${top}$1/`,
      dependencyTypes: ['local'],
      dependencyTypesNot: ['aliased'],
    },
  },
  {
    name: 'packages-through-exports',
    comment:
      'The package does not export this file. Import one of its entry points, or add one to its `exports` if others really need it.',
    from: {},
    to: { path: '^@tapedeck/', couldNotResolve: true },
  },
  {
    name: 'effects-without-web-framework',
    comment:
      'Effects and projections run in the projector, which starts three times as slowly with the web framework. Import the narrower entry of platform, such as `./request-context`.',
    from: { path: `${top}libs/[^/]+/src/(?:effects|projections)/`, pathNot: tests },
    to: { path: `${top}libs/platform/src/http\\.ts$` },
  },
  {
    name: 'kernel-is-the-lowest-layer',
    comment:
      'Everything imports the kernel, the browser too, so it depends on no other package of ours and on no framework. Put the code into the package that needs it.',
    from: { path: libs('kernel') },
    to: { path: [`${top}libs/(?!kernel/)`, npm('@nestjs/', 'fastify/', '@fastify/', 'pg/')] },
  },
  {
    name: 'plans-are-data',
    comment:
      'The catalogue of plans is read by the domain, the browser and the stand-in for Stripe, so it imports nothing. What is done with a plan belongs to the module that does it.',
    from: { path: libs('plans'), pathNot: tests },
    to: { pathNot: libs('plans') },
  },
  {
    name: 'eventing-imports-the-kernel-only',
    comment:
      'Eventing is a library for any event-sourced program. It knows no module, no HTTP framework and no wire schema: these belong to the platform or to a module.',
    from: { path: libs('eventing') },
    to: { path: [`${top}libs/(?!(?:kernel|eventing)/)`, npm('@nestjs/', 'fastify/', '@fastify/', 'zod/')] },
  },
  {
    name: 'events-are-retried-and-ignored-by-commands',
    comment:
      'What is done about parked and pending events is an event on the tape, with actor and reason: only the effect of operations does it. Send `retryEvents` of `@tapedeck/operations/commands`.',
    from: { path: `${top}(?:apps|libs)/(?!(?:eventing|operations)/)`, pathNot: tests },
    to: { path: `${top}libs/eventing/src/operations/` },
  },
  {
    name: 'platform-imports-kernel-and-eventing-only',
    comment: 'The platform serves every module, so it knows none. Let the module pass in what is needed.',
    from: { path: libs('platform') },
    to: { path: `${top}libs/(?!(?:kernel|eventing|platform)/)` },
  },
  {
    name: 'search-engine-is-below-its-callers',
    comment:
      'The explorer and the saved searches ask the search engine. Move what both sides need into the contract of the search engine.',
    from: { path: libs('search-engine', 'columnar', 'elasticsearch') },
    to: { path: libs('explorer', 'saved-searches') },
  },
  {
    name: 'engines-are-chosen-by-composition',
    comment:
      'Modules ask the port of the search engine and work with either engine. Only the composition chooses one, and loads Elasticsearch only where it is configured.',
    from: {
      path: `${top}(libs/[^/]+|apps/[^/]+|torture)/`,
      pathNot: [tests, libs('composition')],
    },
    to: { path: libs('columnar', 'elasticsearch'), pathNot: `${top}$1/` },
  },
  {
    name: 'modules-meet-through-contract-and-events',
    comment:
      'A module may change everything except its contract, its events and the commands that it offers without asking. React to an event of the other module, or add to its contract.',
    from: {
      path: `${top}libs/(?!(?:kernel|eventing|platform|composition|audit|payments|replay)/)([^/]+)/`,
      pathNot: tests,
    },
    to: otherModules('contract', 'events', 'commands'),
  },
  {
    name: 'stripe-is-below-its-callers',
    comment:
      'The port to Stripe says what Stripe says, and receives its events. What they mean for a purchase or a membership belongs to payments.',
    from: { path: libs('stripe'), pathNot: tests },
    to: { path: modules, pathNot: libs('stripe') },
  },
  {
    name: 'payments-use-the-port-to-stripe',
    comment: 'Payments ask Stripe through its port and read its events. Add to the port what is missing.',
    from: { path: `${top}libs/(payments)/`, pathNot: tests },
    to: {
      path: modules,
      pathNot: [
        `${top}libs/$1/`,
        `${top}libs/stripe/src/(?:events|port|sdk|settings|sdk/stripe-pages)\\.ts$`,
        `${top}libs/[^/]+/src/(?:contract|events|commands)\\.ts$`,
      ],
    },
  },
  {
    name: 'replay-is-above-what-it-replays',
    comment:
      'A replay executes the reactions and read models of the modules below it, by what they export for the composition; never by their tables or handlers.',
    from: { path: `${top}libs/(replay)/`, pathNot: tests },
    to: {
      path: modules,
      pathNot: [
        `${top}libs/$1/`,
        `${top}libs/stripe/src/(?:inbox|port|projections|sdk)\\.ts$`,
        `${top}libs/(?:payments|membership)/src/(?:projections|reactions|rules|settings|api)\\.ts$`,
        `${top}libs/[^/]+/src/(?:contract|events|commands)\\.ts$`,
      ],
    },
  },
  {
    name: 'nothing-below-replay-imports-it',
    comment:
      'Replays stand above payments and membership. What these need of a replay is in the metadata of its events.',
    from: { path: libs('stripe', 'payments', 'membership') },
    to: { path: libs('replay') },
  },
  {
    name: 'audit-explains-by-the-rules',
    comment:
      'The audit explains what other modules have decided, so it uses their pure rules (`rules.ts`), never their tables or handlers.',
    from: { path: `${top}libs/(audit)/`, pathNot: tests },
    to: otherModules('contract', 'events', 'rules', 'settings', 'sdk/stripe-pages'),
  },
  {
    name: 'module-tests-use-test-entries',
    comment:
      'A test may also use the other module’s `testing` entry and the demo catalogue, but not its handlers or tables.',
    from: { path: `${top}libs/(?!(?:kernel|eventing|platform)/)([^/]+)/.*(?:${tests})` },
    to: otherModules(
      'contract',
      'events',
      'commands',
      'port',
      'settings',
      'testing',
      'testing/[^/]+',
      'demo',
    ),
  },
  {
    name: 'composition-lists-entry-points',
    comment:
      'The composition lists what the modules export for it, and knows none of their rules. Export what it needs from one of these entry points.',
    from: { path: `${top}libs/(composition)/`, pathNot: tests },
    to: otherModules('contract', 'events', 'projections', 'reactions', 'migrations', 'settings', 'api'),
  },
  {
    name: 'domain-is-pure',
    comment:
      'Rules must run anywhere and be tested without a server: the domain imports its own folder, the kernel, the entry `core` of eventing and the events of other modules. Time, ids and data arrive in commands.',
    from: { path: `${top}libs/([^/]+)/src/domain(?:/|\\.ts$)`, pathNot: tests },
    to: {
      pathNot: [
        `${top}libs/$1/src/domain/`,
        libs('kernel', 'plans'),
        `${top}libs/eventing/src/core\\.ts$`,
        `${top}libs/[^/]+/src/(?:events|rules)\\.ts$`,
        `${top}libs/stripe/src/port\\.ts$`,
      ],
    },
  },
  {
    name: 'domain-loads-no-packages',
    comment:
      'A rule starts no database client, cache or metrics, also not by what it imports. Import `@tapedeck/eventing/core`, and in `events.ts` and `rules.ts` only what is as pure as a domain.',
    from: {
      path: [`${top}libs/[^/]+/src/domain(?:/|\\.ts$)`, `${top}libs/eventing/src/core\\.ts$`],
      pathNot: tests,
    },
    to: { reachable: true, path: 'node_modules/(?!uuid/)' },
  },
  {
    name: 'contracts-run-in-the-browser',
    comment:
      'The browser bundles a contract with all that it reaches: zod, the kernel and other contracts. Move what needs a server out of the files that the contract imports.',
    from: { path: `${top}libs/[^/]+/src/contract\\.ts$` },
    to: {
      reachable: true,
      path: [
        nodeModules,
        'node_modules/(?!zod/|uuid/)',
        libs('eventing'),
        `${top}libs/platform/src/(?!contract\\.ts$)`,
        `${top}libs/[^/]+/src/(?:api|engine|events|index-writer|migrations|projections|testing)\\.ts$`,
      ],
    },
  },
  {
    name: 'nothing-imports-an-app',
    comment:
      'An app only wires modules together. What two of them need belongs to a module or the platform. Tests may start the sandbox by its `testing` entry.',
    from: { path: `${top}(libs/[^/]+|apps/[^/]+|bench|torture)/` },
    to: { path: `${top}apps/`, pathNot: [`${top}$1/`, `${top}apps/sandbox/src/testing\\.ts$`] },
  },
  {
    name: 'scripts-start-without-packages',
    comment:
      'The commands of package.json install the packages, so in a fresh clone they start without any. Import a workspace of tools/ with import() after the installation.',
    from: { path: [`${top}scripts/[^/]+\\.mjs$`, `${top}tools/prepare/`], pathNot: tests },
    to: {
      path: ['node_modules/', `${top}(?:apps|libs|bench|torture|tools/(?!prepare/))`],
      dynamic: false,
    },
  },
  {
    name: 'product-imports-no-tools',
    comment:
      'The tools and scripts start, check and test the product, which must build and run without them. Only tests may use a tool, such as the embedded PostgreSQL.',
    from: { path: `${top}(?:libs|apps)/`, pathNot: tests },
    to: { path: `${top}(?:tools/(?!checks/fixtures/)|scripts/)` },
  },
  {
    name: 'nothing-imports-bench',
    comment:
      'The benchmarks measure the product and the torture run breaks it; the product must build and run without them.',
    from: { pathNot: `${top}(?:bench|torture)/` },
    to: { path: `${top}(?:bench|torture)/` },
  },
  {
    name: 'product-imports-no-tests',
    comment:
      'Test helpers are not part of the product. Move what the product needs out of the testing folder.',
    from: { path: `${top}(?:libs|apps)/`, pathNot: tests },
    to: { path: `${top}(?:libs|apps)/.*(?:${tests})` },
  },
  {
    name: 'web-imports-kernel-and-contracts-only',
    comment: 'Code of the server has no place in the browser. Take the type or the schema from a contract.',
    from: { path: `${top}apps/web/`, pathNot: tests },
    to: { path: `${top}libs/`, pathNot: [libs('kernel'), `${top}libs/[^/]+/src/contract\\.ts$`] },
  },
  {
    name: 'web-features-are-independent',
    comment:
      'Features can be changed and removed one by one. Let the page in app/ put both together, or move what both need into api/ or ui/.',
    from: { path: `${top}apps/web/src/features/([^/]+)/` },
    to: { path: `${top}apps/web/src/features/`, pathNot: `${top}apps/web/src/features/$1/` },
  },
  {
    name: 'web-features-are-below-app',
    comment:
      'app/ puts the features together, so none of them may import it. Move what a feature needs into api/ or ui/.',
    from: { path: `${top}apps/web/src/features/` },
    to: { path: `${top}apps/web/src/(?:app|landing)/` },
  },
  {
    name: 'web-documents-are-apart',
    comment:
      'The landing page and the application are two documents, and neither may load the other. Move what both need into features/, api/ or ui/.',
    from: { path: `${top}apps/web/src/(app|landing)/` },
    to: { path: `${top}apps/web/src/(?:app|landing)/`, pathNot: `${top}apps/web/src/$1/` },
  },
  {
    name: 'web-api-is-below-features',
    comment: 'api/ is the connection to the server that every feature uses. It knows no feature and no page.',
    from: { path: `${top}apps/web/src/api/` },
    to: { path: `${top}apps/web/src/(?:features|app|landing)/` },
  },
  {
    name: 'web-ui-knows-no-data',
    comment: 'The design system gets properties and calls functions. Load data in a feature and pass it in.',
    from: { path: `${top}apps/web/src/ui/` },
    to: { path: [`${top}libs/`, `${top}apps/web/src/(?:features|app|api|landing)/`] },
  },
].map((rule) => ({ severity: 'error', ...rule }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@tapedeck/source', 'import', 'node'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
};
