import { Controller, Get, Inject } from '@nestjs/common';
import type { ApiConfig } from '../config.ts';
import { ClientConfig } from '../contract.ts';
import { CONFIG, DEMO_CATALOGUE } from '../tokens.ts';
import { Public, Returns } from './routes.ts';

@Public()
@Controller('api/config')
export class ClientConfigController {
  readonly #config: ApiConfig;
  readonly #demoCatalogue: () => boolean;

  constructor(@Inject(CONFIG) config: ApiConfig, @Inject(DEMO_CATALOGUE) demoCatalogue: () => boolean) {
    this.#config = config;
    this.#demoCatalogue = demoCatalogue;
  }

  @Get()
  @Returns(200, ClientConfig)
  config(): ClientConfig {
    return {
      billingPortalUrl: this.#config.BILLING_PORTAL_URL,
      demoCatalogue: this.#demoCatalogue(),
      chartImageOrigin: this.#config.CHART_IMAGE_ORIGIN,
      signInHints: [...this.#config.SIGN_IN_HINTS],
    };
  }
}
