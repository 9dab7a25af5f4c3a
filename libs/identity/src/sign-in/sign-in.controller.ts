import {
  Controller,
  Get,
  Inject,
  Injectable,
  Req,
  Res,
  UseGuards,
  type ExecutionContext,
} from '@nestjs/common';
import { DomainError } from '@tapedeck/kernel';
import { AuthGuard, PassportSerializer, type AuthGuardAuthenticateOptions } from '@nestjs/passport';
import { ApiQuery } from '@nestjs/swagger';
import { logTrail, Public, RateLimited, Returns } from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { LOGGER } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from './oidc-strategy.ts';

/** The part of Node's response that passport uses, forwarded to Fastify's reply, so that hooks run and cookies are set. */
type PassportResponse = {
  statusCode: number;
  setHeader: (name: string, value: string) => void;
  end: () => void;
};

const passportResponse = (reply: FastifyReply): PassportResponse => ({
  get statusCode() {
    return reply.statusCode;
  },
  set statusCode(code: number) {
    void reply.code(code);
  },
  setHeader: (name, value) => void reply.header(name, value),
  end: () => void reply.send(),
});

const replyOf = (context: ExecutionContext): FastifyReply =>
  context.switchToHttp().getResponse<FastifyReply>();

/** Runs passport: it redirects to the provider, refuses the sign-in, or begins a new session. */
@Injectable()
export class SignInGuard extends AuthGuard('oidc') {
  readonly #logger: Logger;

  constructor(@Inject(LOGGER) logger: Logger) {
    super();
    this.#logger = logger;
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { logIn: () => void }>();
    try {
      await super.canActivate(context);
      await super.logIn(request);
    } catch (error) {
      const code = error instanceof DomainError ? error.code : 'INTERNAL_ERROR';
      logTrail(this.#logger, 'authn_login_fail', request, { code });
      throw error;
    }
    return true;
  }

  override getAuthenticateOptions(context: ExecutionContext): AuthGuardAuthenticateOptions {
    return { reply: replyOf(context) };
  }

  getResponse(context: ExecutionContext): PassportResponse {
    return passportResponse(replyOf(context));
  }
}

/** Selects what the session stores of a completed sign-in. */
@Injectable()
export class SignInSerializer extends PassportSerializer {
  serializeUser({ session }: SignedIn, done: (error: null, payload: unknown) => void): void {
    done(null, session);
  }

  /** passport requires it; `registerSessions` reads the session before Nest. */
  deserializeUser(payload: unknown, done: (error: null, payload: unknown) => void): void {
    done(null, payload);
  }
}

@Public()
@UseGuards(SignInGuard)
@Controller('api/login')
export class SignInController {
  readonly #logger: Logger;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.#logger = logger;
  }

  /** Never reached: the guard redirects to the provider. */
  @Get()
  @RateLimited('sign-in')
  @ApiQuery({ name: 'login_hint', required: false, description: 'E-mail address to sign in with' })
  @ApiQuery({
    name: 'returnTo',
    required: false,
    description: 'Path of our own to open after signing in',
  })
  @Returns(302, undefined, { description: 'To the sign-in provider' })
  begin(): void {}

  @Get('callback')
  @RateLimited('callback')
  @Returns(302, undefined, { description: 'To the path that was requested as returnTo' })
  finish(@Req() request: FastifyRequest & { user: SignedIn }, @Res() reply: FastifyReply): void {
    logTrail(this.#logger, 'authn_login_success', request, { account: request.user.session.accountId });
    void reply.redirect(request.user.returnTo, 302);
  }
}
