import type { PictureFormat } from '../capturer/wire.ts';

/** One picture in all formats. */
export type PictureName = Readonly<{ urlId: string; version: string }>;

/** The port to where pictures are kept. What it has of a name never changes. */
export type PictureStore = Readonly<{
  /** All formats or none. */
  save: (name: PictureName, pictures: Readonly<Record<PictureFormat, Uint8Array>>) => Promise<void>;
  /** Undefined when it is not there. */
  read: (name: PictureName, format: PictureFormat) => Promise<Buffer | undefined>;
  has: (name: PictureName) => Promise<boolean>;
  remove: (name: PictureName) => Promise<void>;
}>;

const isVersion = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
const isId = (text: string): boolean => /^[A-Za-z0-9]{8}$/.test(text);

/** Whether a name can be that of a picture; no other is looked for. */
export const isPictureName = ({ urlId, version }: PictureName): boolean => isId(urlId) && isVersion(version);

/** Where a picture is, below the folder or the prefix of the store. @throws Error for what is no name */
export const keyOf = (name: PictureName, format: PictureFormat): string => {
  if (!isPictureName(name)) throw new Error('This is not the name of a picture.');
  return `${name.urlId}/${name.version}.${format}`;
};
