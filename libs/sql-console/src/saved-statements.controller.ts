import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { derivedId } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  requestCommandContext,
  Returns,
  Roles,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { RenameStatementBody, SavedStatement, SavedStatementId, SaveStatementBody } from './contract.ts';
import {
  savedStatements,
  savedStatementsStream,
  statementId,
  type SavedStatementCommand,
} from './domain/saved-statements.ts';
import { ListSavedStatements } from './queries/list-saved-statements.ts';

@Roles('admin')
@Controller('api/admin/sql/saved')
export class SavedStatementsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('saved_sql_statements')
  @Returns(200, SavedStatement, { list: true, description: 'The newest first' })
  list(@CurrentAccount() { id }: RequestAccount): Promise<readonly SavedStatement[]> {
    return this.#queries.execute(new ListSavedStatements(id));
  }

  @Post()
  @SendsCommands()
  @Returns(201, SavedStatementId)
  async save(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: SaveStatementBody }) { name, sqlQuery }: SaveStatementBody,
  ): Promise<SavedStatementId> {
    // A repeated request has the same command id, so that it gets the statement that was saved.
    const id = statementId(derivedId('saved statement', requestCommandContext().commandId));
    await this.#send({ type: 'SaveStatement', accountId: account.id, statementId: id, name, sql: sqlQuery });
    return { id };
  }

  @Put(':id')
  @SendsCommands()
  @Returns(204, undefined)
  rename(
    @CurrentAccount() account: RequestAccount,
    @Param('id') id: string,
    @Body({ schema: RenameStatementBody }) { name }: RenameStatementBody,
  ): Promise<void> {
    return this.#send({
      type: 'RenameStatement',
      accountId: account.id,
      statementId: statementId(id),
      name,
    });
  }

  @Delete(':id')
  @SendsCommands()
  @Returns(204, undefined)
  delete(@CurrentAccount() account: RequestAccount, @Param('id') id: string): Promise<void> {
    return this.#send({ type: 'DeleteStatement', accountId: account.id, statementId: statementId(id) });
  }

  async #send(command: SavedStatementCommand): Promise<void> {
    const stream = savedStatementsStream(command.accountId);
    await this.#commands.execute(new StreamCommand(savedStatements, stream, command));
  }
}
