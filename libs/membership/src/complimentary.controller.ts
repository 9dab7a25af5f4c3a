import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { accountId } from '@tapedeck/kernel';
import { Returns, Roles, SendsCommands } from '@tapedeck/platform/http';
import { GrantComplimentaryAccess } from './commands/grant-complimentary-access.ts';
import { RevokeComplimentaryAccess } from './commands/revoke-complimentary-access.ts';
import { AccessGranted, GrantAccessBody, RevokeAccessBody } from './contract.ts';

@Controller('api/admin/members/:accountId/complimentary')
@Roles('support', 'admin')
export class ComplimentaryController {
  readonly #commands: CommandBus;

  constructor(commands: CommandBus) {
    this.#commands = commands;
  }

  @Post()
  @SendsCommands()
  @Returns(201, AccessGranted)
  grant(
    @Param('accountId') id: string,
    @Body({ schema: GrantAccessBody }) { tier, until, reason }: GrantAccessBody,
  ): Promise<AccessGranted> {
    return this.#commands.execute(new GrantComplimentaryAccess(accountId(id), tier, until, reason));
  }

  @Delete()
  @SendsCommands()
  @Returns(204, undefined)
  revoke(
    @Param('accountId') id: string,
    @Body({ schema: RevokeAccessBody }) { reason }: RevokeAccessBody,
  ): Promise<void> {
    return this.#commands.execute(new RevokeComplimentaryAccess(accountId(id), reason));
  }
}
