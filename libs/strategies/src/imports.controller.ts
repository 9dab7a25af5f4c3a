import { createHash } from 'node:crypto';
import {
  Controller,
  Get,
  Headers,
  Param,
  PayloadTooLargeException,
  Post,
  Res,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { FileStreamInterceptor, type MultipartFileStream } from '@nestjs/platform-fastify/multipart';
import { DomainError } from '@tapedeck/kernel';
import {
  actorOf,
  CurrentAccount,
  ReadsFrom,
  Returns,
  Roles,
  UploadRoute,
  uploadTooLarge,
  type RequestAccount,
} from '@tapedeck/platform/http';
import type { FastifyReply } from 'fastify';
import { UploadStrategies } from './commands/upload-strategies.ts';
import { ImportStatus, LastImports, strategyRoutes, UploadAccepted, uploadLimits } from './contract.ts';
import { ListImports } from './queries/list-imports.ts';
import { ShowImport } from './queries/show-import.ts';

const fileMissing = (): DomainError =>
  new DomainError(
    'invalid',
    'UPLOAD_FILE_MISSING',
    'Send the ZIP file in the field zipFile of a multipart form.',
  );

const notAZip = (): DomainError =>
  new DomainError('unsupported', 'UPLOAD_NOT_A_ZIP', 'Please select a ZIP file containing strategy data.');

const isZip = ({ mimetype, originalname }: MultipartFileStream): boolean =>
  mimetype === 'application/zip' || originalname.toLowerCase().endsWith('.zip');

const cutOff = (): DomainError =>
  new DomainError('invalid', 'UPLOAD_CUT_OFF', 'The upload ended before the end of the file: send it again.');

/** The bytes as they arrive. */
async function* arriving({ stream }: MultipartFileStream): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof PayloadTooLargeException ? uploadTooLarge(uploadLimits.maxBytes) : cutOff();
  }
}

const limits = { fileSize: uploadLimits.maxBytes, files: 1, fields: 5, fieldSize: 64 * 1_024 };

@Roles('admin')
@Controller('api/admin')
export class ImportsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Post('process-strategies-polling')
  @UploadRoute('zipFile', uploadLimits.maxBytes)
  @UseInterceptors(FileStreamInterceptor('zipFile', { limits }))
  @Returns(202, UploadAccepted, { description: 'The projector imports the file' })
  async upload(
    @CurrentAccount() account: RequestAccount,
    @UploadedFile() file: MultipartFileStream | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadAccepted> {
    if (!file) throw fileMissing();
    if (!isZip(file)) throw notAZip();
    const upload = { name: file.originalname, content: arriving(file) };
    const jobId = await this.#commands.execute(new UploadStrategies(upload, actorOf(account)));
    void reply.header('location', strategyRoutes.importStatus(jobId));
    return { jobId };
  }

  @Get('process-status/:jobId')
  @Returns(200, ImportStatus, { description: 'With ETag, and with Retry-After until the import has ended' })
  async status(
    @Param('jobId') jobId: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportStatus> {
    const { status, position } = await this.#queries.execute(new ShowImport(jobId));
    const etag = `"${createHash('sha256').update(JSON.stringify(status)).digest('base64url').slice(0, 22)}"`;
    void reply.header('etag', etag);
    if (position === null) void reply.header('retry-after', '1');
    else void reply.header('tape-position', String(position));
    if (known === etag) void reply.status(304);
    return status;
  }

  @Get('strategy-imports')
  @ReadsFrom('strategy_imports')
  @Returns(200, LastImports, { description: 'The last ones, newest first' })
  list(): Promise<LastImports> {
    return this.#queries.execute(new ListImports());
  }
}
