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
  type RequestAccount,
} from '@tapedeck/platform/http';
import { DeleteStatement } from './commands/delete-statement.ts';
import { RenameStatement } from './commands/rename-statement.ts';
import { SaveStatement } from './commands/save-statement.ts';
import { RenameStatementBody, SavedStatement, SavedStatementId, SaveStatementBody } from './contract.ts';
import { statementId } from './domain/saved-statements.ts';
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
    await this.#commands.execute(new SaveStatement(account.id, id, name, sqlQuery));
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
    return this.#commands.execute(new RenameStatement(account.id, statementId(id), name));
  }

  @Delete(':id')
  @SendsCommands()
  @Returns(204, undefined)
  delete(@CurrentAccount() account: RequestAccount, @Param('id') id: string): Promise<void> {
    return this.#commands.execute(new DeleteStatement(account.id, statementId(id)));
  }
}
