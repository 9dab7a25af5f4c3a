import { Inject, Module, type OnModuleDestroy, type OnModuleInit, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { CLOCK, CONFIG, DATABASES, LOGGER } from '@tapedeck/platform/tokens';
import { FiguresController } from './figures.controller.ts';
import { showInMetrics } from './metrics.ts';
import { readFigures } from './queries/read-figures.ts';
import { recentFigures, type RecentFigures } from './queries/recent-figures.ts';
import { RECENT_FIGURES, ShowFiguresHandler } from './queries/show-figures.ts';

const recent: Provider = {
  provide: RECENT_FIGURES,
  inject: [DATABASES, CLOCK, CONFIG],
  useFactory: (
    databases: Databases,
    clock: Clock,
    { GRACE_DAYS: graceDays }: Readonly<{ GRACE_DAYS: number }>,
  ): RecentFigures => recentFigures(() => readFigures(databases.tapedeck, clock.now(), graceDays)),
};

@Module({
  imports: [CqrsModule],
  controllers: [FiguresController],
  providers: [recent, ShowFiguresHandler],
})
export class FiguresModule implements OnModuleInit, OnModuleDestroy {
  readonly #figures: RecentFigures;
  readonly #logger: Logger;
  #hide: (() => void) | undefined;

  constructor(@Inject(RECENT_FIGURES) figures: RecentFigures, @Inject(LOGGER) logger: Logger) {
    this.#figures = figures;
    this.#logger = logger;
  }

  onModuleInit(): void {
    this.#hide = showInMetrics({ ...this.#figures, logger: this.#logger });
  }

  onModuleDestroy(): void {
    this.#hide?.();
  }
}
