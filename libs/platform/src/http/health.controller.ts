import { Controller, Get, Injectable, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { RateLimited } from './rate-limits.ts';
import { Public, Returns } from './routes.ts';

export type HealthState = 'ok' | 'degraded' | 'down';
/** `unknown`: the check has not ended in time. */
type CheckResult = HealthState | 'unknown';

const Readiness = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    checks: z.record(z.string(), z.enum(['ok', 'degraded', 'down', 'unknown'])),
  })
  .meta({ id: 'Readiness' });
const Liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

const checkWithinMs = 2_000;
const minIntervalMs = 1_000;

/** Runs at most once a second for all requests, and never twice at once: one that hangs does not pile up. */
class Check {
  readonly #run: () => Promise<HealthState>;
  #latest: Promise<HealthState> | undefined;
  #isRunning = false;
  #startedAt = 0;

  constructor(run: () => Promise<HealthState>) {
    this.#run = run;
  }

  #isUsable(): boolean {
    return this.#isRunning || performance.now() - this.#startedAt < minIntervalMs;
  }

  #start(): Promise<HealthState> {
    this.#isRunning = true;
    this.#startedAt = performance.now();
    this.#latest = this.#run()
      .catch((): HealthState => 'down')
      .finally(() => {
        this.#isRunning = false;
      });
    return this.#latest;
  }

  async result(): Promise<CheckResult> {
    const latest = this.#isUsable() && this.#latest ? this.#latest : this.#start();
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'unknown'>((resolve) => {
      timer = setTimeout(() => resolve('unknown'), checkWithinMs);
    });
    return Promise.race([latest, tooLate]).finally(() => clearTimeout(timer));
  }
}

/** The checks of `GET /health/ready`; each module registers its own. */
@Injectable()
export class Health {
  readonly #checks = new Map<string, Check>();
  #stopping = false;

  register(name: string, check: () => Promise<HealthState>): void {
    this.#checks.set(name, new Check(check));
  }

  /** Reports "down" from now on, so that load balancers send no more requests. */
  stop(): void {
    this.#stopping = true;
  }

  async report(): Promise<z.infer<typeof Readiness>> {
    const results = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await check.result()] as const),
    );
    const states = results.map(([, state]) => state);
    const checks = Object.fromEntries(results);
    const isDown = states.some((state) => state === 'down' || state === 'unknown');
    if (this.#stopping || isDown) return { status: 'down', checks };
    return { status: states.includes('degraded') ? 'degraded' : 'ok', checks };
  }
}

@Public()
@Controller('health')
export class HealthController {
  readonly #health: Health;

  constructor(health: Health) {
    this.#health = health;
  }

  /** Only shows that the process answers. */
  @Get('live')
  @RateLimited('health')
  @Returns(200, Liveness)
  live(): z.infer<typeof Liveness> {
    return { status: 'ok' };
  }

  @Get('ready')
  @RateLimited('health')
  @Returns(200, Readiness)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<z.infer<typeof Readiness>> {
    const report = await this.#health.report();
    if (report.status === 'down') void reply.status(503);
    return report;
  }
}
