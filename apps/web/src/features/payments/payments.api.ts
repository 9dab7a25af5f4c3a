import {
  Billing,
  BillingChange,
  BillingPortal,
  PaymentPage,
  ChangePreview,
  Checkout,
  ClaimCodeSent,
  InvoiceLinks,
  LinkedPayment,
  paymentRoutes,
  PaymentVerification,
  WithdrawalReceived,
  type CancelBody,
  type ChangePlanBody,
  type LinkPaymentBody,
  type SubscriptionBody,
  type WithdrawBody,
} from '@tapedeck/payments/contract';
import { type Plan } from '@tapedeck/plans/contract';
import { baseApi, onSuccess } from '../../api/base-api.ts';
import { billingTag, membershipTag } from '../../api/member-tags.ts';

const moneyTags = onSuccess<typeof billingTag | typeof membershipTag>(billingTag, membershipTag);
/** Cancelling, resuming and changing follow each other on the same subscription. */
const changes = 'subscription';

const paymentsApi = baseApi
  .enhanceEndpoints({ addTagTypes: [billingTag.type, membershipTag.type] })
  .injectEndpoints({
    endpoints: (build) => ({
      startCheckout: build.mutation<Checkout, Plan>({
        query: ({ tier, period }) => ({
          url: paymentRoutes.checkout(tier),
          method: 'POST',
          body: { period },
        }),
        responseSchema: Checkout,
      }),
      paymentVerification: build.query<PaymentVerification, string>({
        query: (sessionId) => paymentRoutes.verify(encodeURIComponent(sessionId)),
        responseSchema: PaymentVerification,
        providesTags: [billingTag],
      }),
      linkPayment: build.mutation<LinkedPayment, LinkPaymentBody>({
        query: (body) => ({ url: paymentRoutes.link, method: 'POST', body }),
        responseSchema: LinkedPayment,
        invalidatesTags: moneyTags,
      }),
      sendClaimCode: build.mutation<ClaimCodeSent, string>({
        query: (email) => ({ url: paymentRoutes.claimCode, method: 'POST', body: { email } }),
        responseSchema: ClaimCodeSent,
      }),
      claimPurchase: build.mutation<LinkedPayment, string>({
        query: (code) => ({ url: paymentRoutes.claim, method: 'POST', body: { code } }),
        responseSchema: LinkedPayment,
        invalidatesTags: moneyTags,
      }),
      billing: build.query<Billing, void>({
        query: () => paymentRoutes.billing,
        responseSchema: Billing,
        extraOptions: { repeatsWhenStale: true },
        providesTags: [billingTag],
      }),
      invoiceLinks: build.query<InvoiceLinks, string>({
        query: (invoiceId) => paymentRoutes.invoice(encodeURIComponent(invoiceId)),
        responseSchema: InvoiceLinks,
        // The addresses end after some time.
        keepUnusedDataFor: 0,
      }),
      cancelSubscription: build.mutation<BillingChange, NonNullable<CancelBody>>({
        query: (body) => ({ url: paymentRoutes.cancel, method: 'POST', body, changes }),
        responseSchema: BillingChange,
        invalidatesTags: moneyTags,
      }),
      resumeSubscription: build.mutation<BillingChange, NonNullable<SubscriptionBody>>({
        query: (body) => ({ url: paymentRoutes.resume, method: 'POST', body, changes }),
        responseSchema: BillingChange,
        invalidatesTags: moneyTags,
      }),
      withdraw: build.mutation<WithdrawalReceived, WithdrawBody>({
        query: (body) => ({ url: paymentRoutes.withdraw, method: 'POST', body, changes }),
        responseSchema: WithdrawalReceived,
        invalidatesTags: moneyTags,
      }),
      previewChange: build.mutation<ChangePreview, Plan>({
        query: (body) => ({ url: paymentRoutes.previewChange, method: 'POST', body }),
        responseSchema: ChangePreview,
      }),
      changePlan: build.mutation<BillingChange, ChangePlanBody>({
        query: (body) => ({ url: paymentRoutes.change, method: 'POST', body, changes }),
        responseSchema: BillingChange,
        invalidatesTags: moneyTags,
      }),
      keepPlan: build.mutation<BillingChange, NonNullable<SubscriptionBody>>({
        query: (body) => ({ url: paymentRoutes.scheduledChange, method: 'DELETE', body, changes }),
        responseSchema: BillingChange,
        invalidatesTags: moneyTags,
      }),
      openPaymentPage: build.mutation<PaymentPage, SubscriptionBody | void>({
        query: (body) => ({ url: paymentRoutes.paymentPage, method: 'POST', body }),
        responseSchema: PaymentPage,
        // The screen that has offered it is out of date.
        invalidatesTags: (page, error) => (page?.url === null ? moneyTags(page, error) : []),
      }),
      openBillingPortal: build.mutation<BillingPortal, void>({
        query: () => ({ url: paymentRoutes.billingPortal, method: 'POST' }),
        responseSchema: BillingPortal,
      }),
    }),
  });

export const {
  useStartCheckoutMutation,
  usePaymentVerificationQuery,
  useLinkPaymentMutation,
  useSendClaimCodeMutation,
  useClaimPurchaseMutation,
  useBillingQuery,
  useInvoiceLinksQuery,
  useCancelSubscriptionMutation,
  useResumeSubscriptionMutation,
  useWithdrawMutation,
  usePreviewChangeMutation,
  useChangePlanMutation,
  useKeepPlanMutation,
  useOpenBillingPortalMutation,
  useOpenPaymentPageMutation,
} = paymentsApi;
