// The pages for support and admins: one file that the router loads when it is needed.
export { FiguresPage } from './figures-page.tsx';
export { MemberPage, MembersPage } from './member-pages.tsx';
export { ParkedEventsPage, PricesPage, ProjectionsPage, QueuesPage } from './operations-pages.tsx';
export { ReplayPage, ReplaysPage } from './replay-pages.tsx';
export { SqlPage } from './sql-page.tsx';
export { UploadPage } from './upload-page.tsx';
