import type { FastifyRequest } from 'fastify';

/** Browsers send one of these headers with every form; a program may send neither. */
export const isFromOwnPage = ({ headers, host }: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};
