import { Injectable } from '@nestjs/common';

/** What the browser learns at its start (`GET /api/config`); every module registers its own part. */
@Injectable()
export class ClientConfigParts {
  readonly #parts: (() => object)[] = [];

  /** `part` is called for every answer. */
  register(part: () => object): void {
    this.#parts.push(part);
  }

  all(): Readonly<Record<string, unknown>> {
    return Object.assign({}, ...this.#parts.map((part) => part()));
  }
}
