const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);

const text = (value: string): Buffer => Buffer.concat([bytes((2 << 5) | value.length), Buffer.from(value)]);
const uint = (type: 5 | 6, value: number): Buffer => bytes((type << 5) | 2, value >> 8, value & 0xff);
const map = (entries: Readonly<Record<string, Buffer>>): Buffer =>
  Buffer.concat([
    bytes((7 << 5) | Object.keys(entries).length),
    ...Object.entries(entries).flatMap(([key, value]) => [text(key), value]),
  ]);

const nodeBytes = 6;
const separatorLength = 16;

/** An MMDB file that knows the country of one IPv4 network, in the form of MaxMind. */
export const countryFile = (network: string, bits: number, country: string): Buffer => {
  const octets = network.split('.').map(Number);
  const tree = Buffer.alloc(bits * nodeBytes);
  for (let bit = 0; bit < bits; bit++) {
    const isSet = (((octets[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    const next = bit + 1 < bits ? bit + 1 : bits + separatorLength;
    tree.writeUIntBE(isSet ? bits : next, bit * nodeBytes, 3);
    tree.writeUIntBE(isSet ? next : bits, bit * nodeBytes + 3, 3);
  }
  const metadata = map({
    node_count: uint(6, bits),
    record_size: uint(5, 24),
    ip_version: uint(5, 4),
    database_type: text('Test'),
    binary_format_major_version: uint(5, 2),
    binary_format_minor_version: uint(5, 0),
    build_epoch: uint(6, 1),
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(separatorLength),
    map({ country: map({ iso_code: text(country) }) }),
    Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'),
    metadata,
  ]);
};
