import { expect, it } from '@jest/globals';
import { robotsText, sitemapXml } from './search-engines.ts';

it('robots.txt closes the API, except what the landing page is drawn from, and names the sitemap', () => {
  expect(robotsText('https://tapedeck.example').split('\n')).toEqual([
    'User-agent: *',
    'Disallow: /api/',
    'Allow: /api/strategies/teaser',
    '',
    'Sitemap: https://tapedeck.example/sitemap.xml',
    '',
  ]);
});

it('the sitemap names each address in full, and is valid XML', () => {
  const xml = sitemapXml('https://tapedeck.example', ['/', '/a&b']);
  expect(xml).toContain('<url><loc>https://tapedeck.example/</loc></url>');
  expect(xml).toContain('<url><loc>https://tapedeck.example/a&amp;b</loc></url>');
});
