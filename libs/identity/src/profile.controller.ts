import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  RateLimited,
  Returns,
  SendsCommands,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { CompleteProfile } from './commands/complete-profile.ts';
import { Profile, ProfileBody } from './contract.ts';

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
    await this.#commands.execute(new CompleteProfile(id, discordEmail, tradingViewUsername));
    return { discordEmail, tradingViewUsername };
  }
}
