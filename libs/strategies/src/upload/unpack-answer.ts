import type { ErrorKind } from '@tapedeck/kernel';

/** What the unpacking process answers to each request: serialized items, or why there are none. */
export type UnpackAnswer =
  | Readonly<{ items: readonly Uint8Array[]; total: number | null; isLast: boolean }>
  | Readonly<{ error: Readonly<{ kind: ErrorKind; code: string; message: string }> }>;
