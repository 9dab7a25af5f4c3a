import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, PassportSerializer, type AuthGuardAuthenticateOptions } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from './oidc-strategy.ts';

/** As much of Node's response as passport uses, over Fastify's, so that its hooks run and cookies are set. */
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

/** Lets passport do the sign-in: it redirects, refuses, or a new session begins. */
@Injectable()
export class SignInGuard extends AuthGuard('oidc') {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    await super.logIn(context.switchToHttp().getRequest<FastifyRequest & { logIn: () => void }>());
    return true;
  }

  override getAuthenticateOptions(context: ExecutionContext): AuthGuardAuthenticateOptions {
    return { reply: replyOf(context) };
  }

  getResponse(context: ExecutionContext): PassportResponse {
    return passportResponse(replyOf(context));
  }
}

/** What of a signed-in person becomes the session. */
@Injectable()
export class SignInSerializer extends PassportSerializer {
  serializeUser({ session }: SignedIn, done: (error: null, payload: unknown) => void): void {
    done(null, session);
  }

  /** Sessions are read by our own hook, before Nest. */
  deserializeUser(payload: unknown, done: (error: null, payload: unknown) => void): void {
    done(null, payload);
  }
}
