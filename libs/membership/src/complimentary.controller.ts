import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { accountId } from '@tapedeck/kernel';
import { Returns, Roles, SendsCommands, StreamCommand } from '@tapedeck/platform/http';
import { GrantComplimentaryAccess } from './commands/grant-complimentary-access.ts';
import { AccessGranted, GrantAccessBody, RevokeAccessBody } from './contract.ts';
import { memberships } from './domain/decide.ts';
import { membershipStream } from './domain/membership.ts';

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
  async revoke(
    @Param('accountId') id: string,
    @Body({ schema: RevokeAccessBody }) { reason }: RevokeAccessBody,
  ): Promise<void> {
    const account = accountId(id);
    const command = { type: 'RevokeComplimentaryAccess', accountId: account, reason } as const;
    await this.#commands.execute(new StreamCommand(memberships, membershipStream(account), command));
  }
}
