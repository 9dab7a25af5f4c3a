import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { foldEmail, type ApiConfig } from '@tapedeck/platform/config';
import type { VerifiedEmail } from '@tapedeck/platform/http';
import { CONFIG, VERIFIED_EMAIL } from '@tapedeck/platform/tokens';

/** Who may export (D19). */
@Injectable()
export class ExportRights {
  readonly #emails: ReadonlySet<string>;
  readonly #verifiedEmail: VerifiedEmail;

  constructor(
    @Inject(CONFIG) { EXPORT_ACCOUNTS }: ApiConfig,
    @Inject(VERIFIED_EMAIL) verifiedEmail: VerifiedEmail,
  ) {
    this.#emails = new Set(EXPORT_ACCOUNTS);
    this.#verifiedEmail = verifiedEmail;
  }

  async mayExport(account: AccountId): Promise<boolean> {
    if (this.#emails.size === 0) return false;
    const email = await this.#verifiedEmail(account);
    return email !== null && this.#emails.has(foldEmail(email));
  }

  /** @throws DomainError EXPORT_FOR_PAID_MEMBERS */
  async assertMayExport(account: AccountId): Promise<void> {
    if (await this.mayExport(account)) return;
    throw new DomainError(
      'forbidden',
      'EXPORT_FOR_PAID_MEMBERS',
      'CSV export is for paid members: upgrade to Pro or Elite to download this list.',
    );
  }
}
