import type { Settings } from '../config.ts';
import type { ApiConfig } from './platform-settings.ts';

/** Beside the product's own origin, by the directive of the content security policy. */
export type ContentSources = Readonly<Record<'img-src' | 'form-action', readonly string[]>>;

/** The origins of the addresses that browsers may use, as far as they are configured. */
export const contentSources = (settings: Settings, config: ApiConfig): ContentSources => {
  const values: Readonly<Record<string, unknown>> = config;
  const of = (directive: keyof ContentSources): readonly string[] =>
    Object.entries(settings).flatMap(([name, { contentSource }]) => {
      const url = values[name];
      const isUsed = contentSource === directive && typeof url === 'string' && url !== '';
      return isUsed ? [new URL(url).origin] : [];
    });
  return { 'img-src': of('img-src'), 'form-action': of('form-action') };
};
