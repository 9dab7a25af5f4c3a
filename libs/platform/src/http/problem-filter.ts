import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../log.ts';
import { LOGGER } from '../tokens.ts';
import { answerProblem } from './problems.ts';

/** Turns every error of a route into an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger: Logger;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerProblem(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.#logger);
  }
}
