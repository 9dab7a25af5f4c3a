import { Injectable } from '@nestjs/common';

/** The answer of `GET /api/config`, which the browser reads when it starts; each module registers its own part. */
@Injectable()
export class ClientConfigParts {
  readonly #parts: (() => object)[] = [];

  /** `part` is called for each answer. */
  register(part: () => object): void {
    this.#parts.push(part);
  }

  all(): Readonly<Record<string, unknown>> {
    return Object.assign({}, ...this.#parts.map((part) => part()));
  }
}
