import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { MemberFeatures } from '@tapedeck/platform/http';
import { MEMBER_FEATURES } from '@tapedeck/platform/tokens';

/** Who may export (D19). */
@Injectable()
export class ExportRights {
  readonly #features: MemberFeatures;

  constructor(@Inject(MEMBER_FEATURES) features: MemberFeatures) {
    this.#features = features;
  }

  async mayExport(account: AccountId): Promise<boolean> {
    return (await this.#features(account)).has('csvExport');
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
