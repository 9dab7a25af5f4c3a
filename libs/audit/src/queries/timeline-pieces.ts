import { csvLine, csvText, type AccountId, type CsvCell } from '@tapedeck/kernel';
import type { EventSummary, exportFormats, TimelineFilter } from '../contract.ts';
import { summariesOf, type AuditReads } from './audit-reads.ts';
import { readTimeline } from './read-timeline.ts';

export type ExportFormat = (typeof exportFormats)[number];

/** A part of a file, and how many events it contains. */
export type ExportPiece = Readonly<{ text: string; events: number }>;

const pageRows = 500;

const columns: readonly Readonly<{ header: string; cell: (event: EventSummary) => CsvCell }>[] = [
  { header: 'Occurred at (UTC)', cell: ({ occurredAt }) => occurredAt },
  { header: 'Recorded at (UTC)', cell: ({ recordedAt }) => recordedAt },
  { header: 'Lane', cell: ({ lane }) => lane },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Text', cell: ({ text }) => csvLine(text) },
  { header: 'Reason', cell: ({ reason }) => csvLine(reason) },
  { header: 'Actor kind', cell: ({ actorKind }) => csvLine(actorKind) },
  { header: 'Actor', cell: ({ actorId }) => csvLine(actorId) },
  { header: 'Actor e-mail', cell: ({ actorName }) => csvLine(actorName) },
  { header: 'Event', cell: ({ id }) => id },
  { header: 'Stream', cell: ({ stream }) => csvLine(stream) },
  { header: 'Version', cell: ({ version }) => version },
  { header: 'Position', cell: ({ position }) => position },
  { header: 'Caused by', cell: ({ causationId }) => csvLine(causationId) },
  { header: 'Correlation', cell: ({ correlationId }) => csvLine(correlationId) },
  { header: 'Stripe', cell: ({ stripeUrl }) => csvLine(stripeUrl) },
];

const textOf: Readonly<Record<ExportFormat, (events: readonly EventSummary[]) => string>> = {
  csv: (events) =>
    csvText(
      events.map((event) => columns.map(({ cell }) => cell(event))),
      false,
    ),
  jsonl: (events) => events.map((event) => `${JSON.stringify({ ...event, parts: undefined })}\n`).join(''),
};

const headOf: Readonly<Record<ExportFormat, string>> = {
  csv: csvText([columns.map(({ header }) => header)], true),
  jsonl: '',
};

type Exported = Readonly<{ accountId: AccountId; filter: TimelineFilter; format: ExportFormat }>;

/** The file, newest event first, a page at a time: each is read when the one before was taken. */
export async function* timelinePieces(
  reads: AuditReads,
  { accountId, filter, format }: Exported,
): AsyncGenerator<ExportPiece, void> {
  if (headOf[format] !== '') yield { text: headOf[format], events: 0 };
  for (let before: string | undefined; ;) {
    const rows = await readTimeline(reads, accountId, { filter, before, limit: pageRows });
    if (rows.length > 0) {
      yield { text: textOf[format](await summariesOf(reads, rows)), events: rows.length };
    }
    if (rows.length < pageRows) return;
    before = rows.at(-1)?.position;
  }
}
