import { Controller, Get, Module } from '@nestjs/common';
import { ClientConfigParts, Public, Returns } from '@tapedeck/platform/http';
import { ClientConfig } from './contract.ts';

@Public()
@Controller('api/config')
class ClientConfigController {
  readonly #parts: ClientConfigParts;

  constructor(parts: ClientConfigParts) {
    this.#parts = parts;
  }

  /** Parsed: a part that a module has not registered fails here. */
  @Get()
  @Returns(200, ClientConfig)
  config(): ClientConfig {
    return ClientConfig.parse(this.#parts.all());
  }
}

/** Routes that no single module answers. */
@Module({ controllers: [ClientConfigController] })
export class CompositionModule {}
