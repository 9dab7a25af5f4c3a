/** The characters of the bytes 128 to 255 in code page 437 of the IBM PC. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const fromCodePage437 = (raw: Uint8Array): string =>
  Array.from(raw, (byte) => (byte < 128 ? String.fromCharCode(byte) : (upperHalf[byte - 128] ?? ''))).join(
    '',
  );

/**
 * The name of an entry. Archives do not say reliably how it was encoded: what is not UTF-8 is read as code page 437, as
 * appendix D of PKWARE's ZIP specification has it. Such a name may look odd, but it is only shown.
 */
export const decodeName = (raw: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return fromCodePage437(raw);
  }
};
