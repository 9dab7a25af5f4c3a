import type { DomainEvent } from '@tapedeck/eventing/core';
import type { IntentId } from './checkout-events.ts';

/** `personHash` stands for one account or one folded e-mail address (docs/product-decisions.md#introductory-price). */
type Subject = { personHash: string; intentId: IntentId };

/** An open checkout session has the introductory price; no other one gets it until `until`. */
export type IntroPriceReserved = DomainEvent<'IntroPriceReserved', Subject & { until: string }>;
/** The session has ended without a purchase. */
export type IntroPriceReleased = DomainEvent<'IntroPriceReleased', Subject>;
export type IntroPriceUsed = DomainEvent<'IntroPriceUsed', Subject>;

export type IntroPriceEvent = IntroPriceReserved | IntroPriceReleased | IntroPriceUsed;
