import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** A smaller answer fits one packet without compression. */
const minCompressedBytes = 1_024;
/** Up to this size, compressing in place (0.2 ms) takes less time of the event loop than passing it to a thread. */
const maxInPlaceBytes = 16_384;

/**
 * Compresses text answers with Brotli or gzip for clients that accept it; event streams are sent as they are. An
 * attacker who can add text to an answer and see many compressed lengths can guess the rest of it (BREACH), so no body
 * may contain a secret of the session.
 */
export const registerCompression = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: minCompressedBytes,
    syncThreshold: maxInPlaceBytes,
    // Request bodies are not decompressed: signatures are computed over the bytes that were sent.
    globalDecompression: false,
    brotliOptions: {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // 512 KiB: more than an answer needs, and far less memory per answer than the default of 4 MiB.
        [constants.BROTLI_PARAM_LGWIN]: 19,
      },
    },
  });
};
