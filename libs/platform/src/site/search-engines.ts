/** Nothing below `/api/` is a page; it may be loaded to draw one. */
export const robotsText = (origin: string): string => `User-agent: *
Disallow: /api/
Allow: /api/strategies/teaser

Sitemap: ${origin}/sitemap.xml
`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const sitemapXml = (origin: string, paths: readonly string[]): string => {
  const urls = paths.map((path) => `  <url><loc>${escaped(`${origin}${path}`)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('')}</urlset>
`;
};
