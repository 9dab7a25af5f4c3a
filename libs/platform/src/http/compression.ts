import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bytes: below, an answer fits one packet anyway. */
const smallest = 1_024;
/** Bytes: up to here compressing at once (0.2 ms) costs the event loop less than handing it to another thread. */
const inPlace = 16_384;

/**
 * Answers of text in Brotli or gzip for clients that take them. Event streams are left alone. What an answer holds of
 * a member may be guessed from its length by who can put text of his own beside it and see many lengths (BREACH):
 * so no body may hold a secret of the session.
 */
export const registerCompression = async (fastify: FastifyInstance): Promise<void> => {
  await fastify.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: smallest,
    syncThreshold: inPlace,
    // Bodies of requests stay as they came: signatures are checked over them.
    globalDecompression: false,
    brotliOptions: {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // 512 KiB: more than an answer has, and far less memory per answer than the default's 4 MiB.
        [constants.BROTLI_PARAM_LGWIN]: 19,
      },
    },
  });
};
