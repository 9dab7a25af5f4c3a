type AdminSection = Readonly<{ path: string; name: string; isForAdmins: boolean }>;

/** In the order of the navigation. Each has its route in `router.tsx`. */
export const adminSections: readonly AdminSection[] = [
  { path: '/admin/members', name: 'Members', isForAdmins: false },
];
