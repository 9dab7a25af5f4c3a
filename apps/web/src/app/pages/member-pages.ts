// The pages for members beside those of the catalogue, and the legal ones: one file that the router loads when it is needed.
export { CompleteProfilePage } from './complete-profile-page.tsx';
export { FavouritesPage } from './favourites-page.tsx';
export { HomePage } from './home-page.tsx';
export { PrivacyPage } from './legal/privacy-policy.tsx';
export { TermsPage } from './legal/terms-of-service.tsx';
export { PayPage } from './pay-page.tsx';
export { PaymentSuccessPage } from './payment-success-page.tsx';
export { TestScreenshotPage } from './test-screenshot-page.tsx';
