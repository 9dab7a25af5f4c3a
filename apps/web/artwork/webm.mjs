// The least of WebM (a subset of Matroska, RFC 9559) that browsers can seek in: one video track, a cluster per key frame,
// and an index of the clusters.

/** @typedef {Readonly<{ data: Buffer, isKey: boolean, ms: number }>} Frame */
/** @typedef {Readonly<{ width: number, height: number, durationMs: number, frames: readonly Frame[] }>} Video */

/** An element's id and size, the size in eight bytes. @param {string} id @param {number} size */
const head = (id, size) => {
  const length = Buffer.alloc(8);
  length.writeUInt32BE(0x01000000, 0);
  length.writeUInt32BE(size, 4);
  return Buffer.concat([Buffer.from(id, 'hex'), length]);
};
/** @param {string} id @param {...Buffer} content */
const element = (id, ...content) => {
  const body = Buffer.concat(content);
  return Buffer.concat([head(id, body.length), body]);
};
/** @param {string} id @param {number} value */
const whole = (id, value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return element(id, bytes);
};
/** @param {string} id @param {number} value */
const float = (id, value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
};
const words = (/** @type {string} */ id, /** @type {string} */ value) => element(id, Buffer.from(value));

const header = element(
  '1a45dfa3',
  whole('4286', 1),
  whole('42f7', 1),
  whole('42f2', 4),
  whole('42f3', 8),
  words('4282', 'webm'),
  whole('4287', 4),
  whole('4285', 2),
);

/** @param {Frame} frame @param {number} clusterMs */
const block = ({ data, isKey, ms }, clusterMs) => {
  const start = Buffer.alloc(4);
  start.writeUInt8(0x81, 0);
  start.writeInt16BE(ms - clusterMs, 1);
  start.writeUInt8(isKey ? 0x80 : 0, 3);
  return element('a3', start, data);
};

/** @param {readonly Frame[]} frames */
const clustersOf = (frames) => {
  const starts = frames.flatMap(({ isKey }, at) => (isKey ? [at] : []));
  return starts.map((start, index) => {
    const of = frames.slice(start, starts[index + 1]);
    const ms = of[0]?.ms ?? 0;
    return { ms, bytes: element('1f43b675', whole('e7', ms), ...of.map((frame) => block(frame, ms))) };
  });
};

/** @param {Video} video */
export const webmOf = ({ width, height, durationMs, frames }) => {
  const info = element(
    '1549a966',
    whole('2ad7b1', 1_000_000),
    float('4489', durationMs),
    words('4d80', 'tapedeck'),
    words('5741', 'tapedeck'),
  );
  const track = element(
    'ae',
    whole('d7', 1),
    whole('73c5', 1),
    whole('83', 1),
    words('86', 'V_VP9'),
    element('e0', whole('b0', width), whole('ba', height)),
  );
  const tracks = element('1654ae6b', track);
  const clusters = clustersOf(frames);
  /** Every number has the same size, so that the index has one, whatever is in it. @param {number} first */
  const indexAt = (first) => {
    let at = first;
    const points = clusters.map(({ ms, bytes }) => {
      const point = element('bb', whole('b3', ms), element('b7', whole('f7', 1), whole('f1', at)));
      at += bytes.length;
      return point;
    });
    return element('1c53bb6b', ...points);
  };
  const before = info.length + tracks.length;
  const index = indexAt(before + indexAt(0).length);
  return Buffer.concat([
    header,
    element('18538067', info, tracks, index, ...clusters.map(({ bytes }) => bytes)),
  ]);
};
