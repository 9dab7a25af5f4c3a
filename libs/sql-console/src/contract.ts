/** Paths of the SQL console. */
export const sqlConsoleRoutes = { execute: '/api/admin/execute-sql' } as const;
