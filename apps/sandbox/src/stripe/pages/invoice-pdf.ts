import { day, money } from './layout.ts';
import { discountOf } from '../engine/invoice-lines.ts';
import type { Invoice } from '../engine/objects.ts';

type Text = Readonly<{ x: number; y: number; size: number; font: 'F1' | 'F2'; text: string }>;

const pageWidth = 595;
const pageHeight = 842;
const margin = 56;
const amountAt = 420;

/** As a string of a PDF in WinAnsi: brackets and backslashes are escaped, what the font has not becomes a question mark. */
const pdfString = (text: string): string =>
  `(${[...text]
    .map((character) => {
      if ('()\\'.includes(character)) return `\\${character}`;
      const code = character.codePointAt(0) ?? 0;
      if (code >= 32 && code < 127) return character;
      return code >= 160 && code < 256 ? `\\${code.toString(8)}` : '?';
    })
    .join('')})`;

const drawn = ({ x, y, size, font, text }: Text): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td ${pdfString(text)} Tj ET`;

type Row = readonly [name: string, value: string, isBold?: boolean];

const rowsOf = (invoice: Invoice): readonly Row[] => {
  const { lines, status, starting_balance: start, ending_balance: end } = invoice;
  const credit = start - (end ?? start);
  const isPaid = status === 'paid';
  return [
    ...lines.data.map((line): Row => [line.description ?? '', money(line.amount - discountOf(line))]),
    ...(credit === 0 ? [] : [['Credit', money(credit)] as const]),
    [isPaid ? 'Paid' : 'Due', money(isPaid ? invoice.amount_paid : invoice.amount_due), true],
  ];
};

const textsOf = (invoice: Invoice): readonly Text[] => {
  const top = pageHeight - margin;
  const at = (y: number, size: number, text: string, font: Text['font'] = 'F1', x = margin): Text => ({
    x,
    y,
    size,
    font,
    text,
  });
  const rows = rowsOf(invoice).flatMap(([name, value, isBold = false], index) => {
    const y = top - 150 - index * 24;
    const font = isBold ? 'F2' : 'F1';
    return [at(y, 11, name, font), at(y, 11, value, font, amountAt)];
  });
  return [
    at(top, 20, `Invoice ${invoice.number ?? 'draft'}`, 'F2'),
    at(top - 28, 11, day(invoice.created)),
    at(top - 46, 11, `Billed to ${invoice.customer_name ?? invoice.customer_email ?? 'a customer'}`),
    at(top - 64, 11, 'Tapedeck'),
    at(top - 100, 10, 'Sandbox: no real payment. This stands in for the document that Stripe makes.'),
    ...rows,
  ];
};

/** A page with the lines of an invoice, as a PDF file. */
export const invoicePdf = (invoice: Invoice): Buffer => {
  const content = textsOf(invoice).map(drawn).join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> /Contents 4 0 R >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  const header = '%PDF-1.4\n';
  const offsets = objects.map((_, index) =>
    objects.slice(0, index).reduce((sum, { length }) => sum + length, header.length),
  );
  const body = `${header}${objects.join('')}`;
  const table = [
    '0000000000 65535 f ',
    ...offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n `),
  ];
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  // Only ASCII is in it, so that characters are bytes.
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n${table.join('\n')}\n${trailer}`, 'latin1');
};
