import { Injectable } from '@nestjs/common';

type ReadNames = (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The e-mail addresses of accounts, for screens that say who did something; the module that knows them registers itself. */
@Injectable()
export class AccountNames {
  #read: ReadNames = async () => new Map();

  register(read: ReadNames): void {
    this.#read = read;
  }

  /** By id, of those ids that belong to accounts which were not deleted. */
  of(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#read(accountIds);
  }
}
