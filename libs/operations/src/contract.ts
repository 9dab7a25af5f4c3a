/** Paths of the pages about projections and parked events. */
export const operationsRoutes = { projections: '/api/admin/projections' } as const;
