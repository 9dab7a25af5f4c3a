import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Public, Returns } from '@tapedeck/platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from './oidc-strategy.ts';
import { SignInGuard } from './sign-in.guard.ts';

@Public()
@UseGuards(SignInGuard)
@Controller('api/login')
export class SignInController {
  /** Never reached: the guard has sent the browser to the provider. */
  @Get()
  @ApiQuery({ name: 'login_hint', required: false, description: 'E-mail address to sign in with' })
  @ApiQuery({ name: 'returnTo', required: false, description: 'Path of ours to come back to' })
  @Returns(302, undefined, { description: 'To the sign-in provider' })
  begin(): void {}

  @Get('callback')
  @Returns(302, undefined, { description: 'To where the person wanted to be' })
  finish(@Req() request: FastifyRequest & { user: SignedIn }, @Res() reply: FastifyReply): void {
    void reply.redirect(request.user.returnTo, 302);
  }
}
