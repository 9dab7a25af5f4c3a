import sharp from 'sharp';
import type { PictureFormat } from '../capturer/wire.ts';

export type EncodedPicture = Readonly<{
  width: number;
  height: number;
  pictures: Readonly<Record<PictureFormat, Buffer>>;
}>;

/** Of the largest screenshot three times over. */
const maxPixels = 20_000_000;
/** Wide enough for a screen with two dots a pixel. */
const maxWidth = 1_600;
const seconds = 5;

// Pictures of charts come one by one.
sharp.cache(false);

/** Our own screenshot in the formats that browsers accept, without metadata. */
export const encodePicture = async (screenshot: Buffer): Promise<EncodedPicture> => {
  const image = sharp(screenshot, { limitInputPixels: maxPixels, failOn: 'warning' })
    .removeAlpha()
    .resize({ width: maxWidth, withoutEnlargement: true });
  const [{ data: png, info }, webp, avif] = await Promise.all([
    image.clone().png({ compressionLevel: 8 }).timeout({ seconds }).toBuffer({ resolveWithObject: true }),
    image.clone().webp({ quality: 88, effort: 3 }).timeout({ seconds }).toBuffer(),
    image.clone().avif({ quality: 62, effort: 2 }).timeout({ seconds }).toBuffer(),
  ]);
  return { width: info.width, height: info.height, pictures: { png, webp, avif } };
};
