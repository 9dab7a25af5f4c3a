import { Injectable } from '@nestjs/common';
import type { RequestAccount } from '../request-context.ts';

type FindLive = (accounts: readonly RequestAccount[]) => Promise<ReadonlySet<string>>;

/** Which sessions have not ended, for what stays open after its request; the module that knows them registers itself. */
@Injectable()
export class LiveSessions {
  #findLive: FindLive = async (accounts) =>
    new Set(accounts.flatMap(({ session }) => session?.publicId ?? []));

  register(findLive: FindLive): void {
    this.#findLive = findLive;
  }

  /** Of those by which these accounts have signed in, the public ids. */
  of(accounts: readonly RequestAccount[]): Promise<ReadonlySet<string>> {
    return this.#findLive(accounts);
  }
}
