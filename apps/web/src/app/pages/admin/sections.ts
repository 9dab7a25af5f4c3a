type AdminSection = Readonly<{ path: string; name: string; isForAdmins: boolean }>;

/** In the order of the navigation. Each has its route in `router.tsx`. */
export const adminSections: readonly AdminSection[] = [
  { path: '/admin/members', name: 'Members', isForAdmins: false },
  { path: '/admin/replays', name: 'Replays', isForAdmins: false },
  { path: '/admin/parked-events', name: 'Parked events', isForAdmins: false },
  { path: '/admin/queues', name: 'Queues', isForAdmins: false },
  { path: '/admin/figures', name: 'Figures', isForAdmins: true },
  { path: '/admin/prices', name: 'Prices', isForAdmins: true },
  { path: '/admin/projections', name: 'Projections', isForAdmins: true },
  { path: '/admin/sql', name: 'SQL Console', isForAdmins: true },
  { path: '/admin/upload', name: 'Strategy Upload', isForAdmins: true },
];
