import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  RateLimited,
  Returns,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { Profile, ProfileBody } from '../contract.ts';
import { accountStream } from '../domain/account.ts';
import { accounts } from '../domain/decide.ts';

@Controller('api/complete-profile')
export class ProfileController {
  readonly #commands: CommandBus;

  constructor(commands: CommandBus) {
    this.#commands = commands;
  }

  @Post()
  @RateLimited('profile')
  @SendsCommands()
  @Returns(200, Profile)
  async complete(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: ProfileBody }) { discordEmail, tradingViewUsername }: ProfileBody,
  ): Promise<Profile> {
    const command = { type: 'CompleteProfile', accountId: id, discordEmail, tradingViewUsername } as const;
    await this.#commands.execute(new StreamCommand(accounts, accountStream(id), command));
    return { discordEmail, tradingViewUsername };
  }
}
