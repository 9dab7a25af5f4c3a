import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { apiConfig, captureConfig, projectorConfig } from '@tapedeck/composition/config';

type Service = Readonly<{
  image?: string;
  build?: Readonly<{ target: string }>;
  user?: string;
  environment?: Readonly<Record<string, string>>;
  depends_on?: Readonly<Record<string, Readonly<{ condition: string }>>>;
  networks?: readonly string[];
  ports?: readonly string[];
  healthcheck?: Readonly<{ test: readonly string[] }>;
  restart?: string;
  [setting: string]: unknown;
}>;
type Compose = Readonly<{
  services: Readonly<Record<string, Service>>;
  networks: Readonly<Record<string, Readonly<{ internal?: boolean }> | null>>;
}>;

const root = new URL('../../../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const require = createRequire(import.meta.url);
// The linter of this file brings its parser.
const yaml = createRequire(require.resolve('dclint'))('yaml') as {
  parse: (text: string, options: Readonly<{ merge: boolean }>) => unknown;
};
const text = textOf('docker-compose.yml');
const { services, networks } = yaml.parse(text, { merge: true }) as Compose;
const names = Object.keys(services);
const serviceOf = (name: string): Service => services[name] ?? {};

const dockerfile = textOf('Dockerfile');
const stageOf = (target: string): string =>
  new RegExp(`^FROM \\S+ AS ${target}\\n[^]*?(?=^FROM |(?![^]))`, 'm').exec(dockerfile)?.[0] ?? '';
const exactImage = /@sha256:[0-9a-f]{64}$|:\d+\.\d+(?:\.\d+)?(?:-[a-z-]+)?$/;

const runsOnce = (name: string): boolean =>
  Object.values(services).some(
    ({ depends_on }) => depends_on?.[name]?.condition === 'service_completed_successfully',
  );

const given: Readonly<Record<string, string>> = {
  PUBLIC_ORIGIN: 'https://tapedeck.example',
  PERSONAL_DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
  SESSION_SECRET: 'x'.repeat(32),
  CAPTURE_SECRET: 'y'.repeat(32),
  OIDC_ISSUER: 'https://id.example',
  STRIPE_SECRET_KEY: 'sk_live_1',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Tapedeck <billing@tapedeck.example>',
};
/** The environment of a service, as compose fills it in from the variables of the shell. */
const environmentOf = (
  name: string,
  values: Readonly<Record<string, string>> = given,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [
      key,
      value.replaceAll(
        /\$\{(\w+):([-?])([^}]*)\}/g,
        (_all, variable: string, kind: string, rest: string) =>
          values[variable] ?? (kind === '-' ? rest : 'given'),
      ),
    ]),
  );

describe.each(names)('the service %s', (name) => {
  const service = serviceOf(name);

  it('has no privileges, a root file system that is read-only, and limits', () => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      init: true,
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
      logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
    });
    for (const setting of ['cap_add', 'privileged', 'pid', 'network_mode', 'devices', 'ipc', 'userns_mode'])
      expect(service).not.toHaveProperty(setting);
    expect(service['volumes'] ?? []).not.toContainEqual(expect.stringContaining('docker.sock'));
  });

  it('runs as an ordinary user from an exact version of its image', () => {
    if (service.build) expect(stageOf(service.build.target)).toMatch(/^FROM runtime AS /);
    else expect(service.image).toMatch(exactImage);
    const user = service.user ?? /^USER (\S+)$/m.exec(service.build ? stageOf('runtime') : '')?.[1];
    expect(user).toMatch(/^(?:node|[1-9]\d*:\d+)$/);
  });

  it('is started again when it ends, and says whether it is healthy unless it runs once', () => {
    expect(service.restart).toMatch(runsOnce(name) ? /^on-failure:\d+$/ : /^unless-stopped$/);
    if (!runsOnce(name)) expect(service.healthcheck?.test.length).toBeGreaterThan(1);
  });

  it('can be reached from outside only if it is the API, by way of the proxy of this machine', () => {
    expect(service.networks?.length).toBeGreaterThan(0);
    const open = service.networks?.filter((network) => networks[network]?.internal !== true);
    expect(open).toEqual(
      ({ api: ['public'], capture: ['charting'], projector: ['outgoing'] } as Record<string, unknown>)[
        name
      ] ?? [],
    );
    expect(service.ports ?? []).toEqual(name === 'api' ? ['127.0.0.1:4000:4000'] : []);
  });
});

describe('docker-compose.yml', () => {
  it('connects each server with the processes of the product only', () => {
    for (const [network, server] of [
      ['database', 'postgres'],
      ['search', 'elasticsearch'],
    ] as const) {
      expect(serviceOf(server).networks).toEqual([network]);
      const others = names.filter((name) => name !== server && serviceOf(name).networks?.includes(network));
      for (const name of others)
        expect(serviceOf(name).build ?? (runsOnce(name) && serviceOf(name).image)).toBeTruthy();
    }
  });

  it('gives the API a configuration that it accepts, which trusts the one proxy in front of it', () => {
    const config = apiConfig(environmentOf('api'));
    expect([config.publicOrigin, config.TRUSTED_PROXIES]).toEqual(['https://tapedeck.example', 1]);
    const overHttp = environmentOf('api', { ...given, PUBLIC_ORIGIN: 'http://tapedeck.example' });
    expect(() => apiConfig(overHttp)).toThrow(/set ALLOW_HTTP=yes/);
  });

  it('gives the projector a configuration that it accepts, without the secrets of the API', () => {
    const environment = environmentOf('projector');
    expect(projectorConfig(environment).METRICS_PORT).toBe(9_464);
    expect(Object.keys(environment).filter((name) => /SESSION|OIDC|WEBHOOK/.test(name))).toEqual([]);
  });

  it('gives the capture process a configuration that it accepts, and nothing of the other processes', () => {
    const environment = environmentOf('capture');
    expect(captureConfig(environment)).toMatchObject({ CAPTURE_HOST: '0.0.0.0', CAPTURE_PORT: 4_100 });
    const others = /DATABASE|SESSION|OIDC|STRIPE|PERSONAL|S3_|SMTP/;
    expect(Object.keys(environment).filter((name) => others.test(name))).toEqual([]);
    expect(environmentOf('api')).toMatchObject({ CAPTURE_URL: 'http://capture:4100' });
  });

  it('uses only variables that .env.example lists', () => {
    const listed = new Set([...textOf('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    const used = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !listed.has(name))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  it('starts from an exact version, and leaves the code to root', () => {
    const [base, ...others] = [...dockerfile.matchAll(/^FROM (\S+:\S+) AS/gm)].map(([, image]) => image);
    expect(base).toMatch(exactImage);
    expect(new Set(others)).toEqual(new Set([base]));
    expect(dockerfile).not.toMatch(/--chown/);
    expect(stageOf('runtime')).toMatch(/COPY --from=build \/app \.\/\nUSER node/);
    expect(stageOf('build')).toMatch(/chmod -R u=rwX,go=rX \./);
  });
});
