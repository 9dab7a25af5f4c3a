import { listTag } from './base-api.ts';

// What a payment changes is shown by several features.
export const membershipTag = listTag('Membership');
export const billingTag = listTag('Billing');
export const mailsTag = listTag('SentMails');
/** What the audit shows of a member. */
export const auditedMemberTag = listTag('AuditedMember');
