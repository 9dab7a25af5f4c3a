import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { accountId, eventId, isoNow, parseUuid, type Clock } from '@tapedeck/kernel';
import { RateLimited, ReadsFrom, Returns, Roles, SendsCommands } from '@tapedeck/platform/http';
import { CLOCK } from '@tapedeck/platform/tokens';
import type { FastifyReply } from 'fastify';
import { AddNote } from '../commands/add-note.ts';
import { ExportTimeline } from '../commands/export-timeline.ts';
import { ReadMember } from '../commands/read-member.ts';
import { RedactNote } from '../commands/redact-note.ts';
import {
  AccessDifference,
  AccessExplanation,
  AccessQuery,
  AddNoteBody,
  AuditedMember,
  DifferenceQuery,
  EventDetail,
  ExportQuery,
  FindMembersQuery,
  FoundMembers,
  NoteAdded,
  TapeDeck,
  Timeline,
  TimelineQuery,
} from '../contract.ts';
import { CompareAccess, ExplainAccess } from '../queries/explain-access.ts';
import { FindMembers } from '../queries/find-members.ts';
import { ShowDeck } from '../queries/show-deck.ts';
import { ShowEvent } from '../queries/show-event.ts';
import { ShowMember } from '../queries/show-member.ts';
import { ShowTimeline } from '../queries/show-timeline.ts';

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;

@Roles('support', 'admin')
@Controller('api/admin/members')
export class MembersController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #clock: Clock;

  constructor(commands: CommandBus, queries: QueryBus, @Inject(CLOCK) clock: Clock) {
    this.#commands = commands;
    this.#queries = queries;
    this.#clock = clock;
  }

  @Get()
  @ReadsFrom('audit_timeline')
  @Returns(200, FoundMembers)
  find(@Query({ schema: FindMembersQuery }) { q }: FindMembersQuery): Promise<FoundMembers> {
    return this.#queries.execute(new FindMembers(q));
  }

  /** The answer leaves once `MemberRead` is on the tape. */
  @Get(':id')
  @ReadsFrom('audit_timeline')
  @Returns(200, AuditedMember)
  async show(@Param('id') id: string): Promise<AuditedMember> {
    const member = await this.#queries.execute(new ShowMember(accountId(id)));
    await this.#commands.execute(new ReadMember(accountId(id)));
    return member;
  }

  @Get(':id/access')
  @ReadsFrom('audit_timeline')
  @Returns(200, AccessExplanation)
  access(
    @Param('id') id: string,
    @Query({ schema: AccessQuery }) { at, knowledge }: AccessQuery,
  ): Promise<AccessExplanation> {
    return this.#queries.execute(new ExplainAccess(accountId(id), at, knowledge));
  }

  @Get(':id/difference')
  @ReadsFrom('audit_timeline')
  @Returns(200, AccessDifference)
  difference(
    @Param('id') id: string,
    @Query({ schema: DifferenceQuery }) { from, to, knowledge }: DifferenceQuery,
  ): Promise<AccessDifference> {
    return this.#queries.execute(new CompareAccess(accountId(id), from, to, knowledge));
  }

  @Get(':id/timeline')
  @ReadsFrom('audit_timeline')
  @Returns(200, Timeline, { description: 'The newest first' })
  timeline(
    @Param('id') id: string,
    @Query({ schema: TimelineQuery }) { before, ...filter }: TimelineQuery,
  ): Promise<Timeline> {
    return this.#queries.execute(new ShowTimeline(accountId(id), filter, before));
  }

  @Get(':id/deck')
  @ReadsFrom('audit_timeline')
  @Returns(200, TapeDeck)
  deck(@Param('id') id: string): Promise<TapeDeck> {
    return this.#queries.execute(new ShowDeck(accountId(id)));
  }

  @Get(':id/timeline/export')
  @RateLimited('export')
  @ReadsFrom('audit_timeline')
  @Returns(200, undefined, { description: 'text/csv or application/jsonl, the newest first' })
  async export(
    @Param('id') id: string,
    @Query({ schema: ExportQuery }) { format, ...filter }: ExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const member = accountId(id);
    const bytes = await this.#commands.execute(new ExportTimeline(member, filter, format));
    const day = isoNow(this.#clock).slice(0, 10);
    void reply
      .header('content-type', contentTypes[format])
      .header('content-disposition', `attachment; filename="member-${member}-${day}.${format}"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(bytes, { objectMode: false }));
  }

  @Get(':id/events/:eventId')
  @ReadsFrom('audit_timeline')
  @Returns(200, EventDetail)
  event(@Param('id') id: string, @Param('eventId') event: string): Promise<EventDetail> {
    return this.#queries.execute(new ShowEvent(accountId(id), eventId(event)));
  }

  @Post(':id/notes')
  @SendsCommands()
  @Returns(201, NoteAdded)
  async addNote(
    @Param('id') id: string,
    @Body({ schema: AddNoteBody }) content: AddNoteBody,
  ): Promise<NoteAdded> {
    return { noteId: await this.#commands.execute(new AddNote(accountId(id), content)) };
  }

  @Delete(':id/notes/:noteId')
  @SendsCommands()
  @Returns(204, undefined)
  redactNote(@Param('id') id: string, @Param('noteId') noteId: string): Promise<void> {
    return this.#commands.execute(new RedactNote(accountId(id), parseUuid('note id', noteId)));
  }
}
