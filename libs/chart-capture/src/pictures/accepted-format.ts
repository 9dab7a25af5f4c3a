import { pictureFormats, type PictureFormat } from '../capturer/wire.ts';

/** Smallest first. */
const preferred: readonly PictureFormat[] = pictureFormats.toReversed();

type Range = Readonly<{ type: string; quality: number }>;

const maxHeaderLength = 1_000;

const rangesOf = (accept: string): readonly Range[] =>
  accept
    .slice(0, maxHeaderLength)
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const quality = given === undefined ? 1 : Number(given);
      return { type, quality: Number.isFinite(quality) ? quality : 0 };
    });

/**
 * The best format that a browser names in `Accept`. A wildcard names none: programs that send one may know PNG only.
 */
export const acceptedFormat = (accept: string | undefined): PictureFormat => {
  const ranges = rangesOf(accept ?? '');
  const isNamed = (format: PictureFormat): boolean =>
    ranges.some(({ type, quality }) => type === `image/${format}` && quality > 0);
  return preferred.find(isNamed) ?? 'png';
};
