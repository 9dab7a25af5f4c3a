export * from './wire/access.ts';
export * from './wire/events.ts';
export * from './wire/members.ts';
export * from './wire/timeline.ts';

export const auditRoutes = {
  find: '/api/admin/members',
  recent: '/api/admin/recent-members',
  member: (id: string) => `/api/admin/members/${id}`,
  access: (id: string) => `/api/admin/members/${id}/access`,
  difference: (id: string) => `/api/admin/members/${id}/difference`,
  timeline: (id: string) => `/api/admin/members/${id}/timeline`,
  deck: (id: string) => `/api/admin/members/${id}/deck`,
  /** `?format=csv` or `jsonl`, with the timeline's filters. */
  export: (id: string) => `/api/admin/members/${id}/timeline/export`,
  event: (id: string, eventId: string) => `/api/admin/members/${id}/events/${eventId}`,
  notes: (id: string) => `/api/admin/members/${id}/notes`,
  note: (id: string, noteId: string) => `/api/admin/members/${id}/notes/${noteId}`,
} as const;

/** The addresses of its screens. */
export const auditScreens = ['/admin/members', '/admin/members/:accountId'] as const;
