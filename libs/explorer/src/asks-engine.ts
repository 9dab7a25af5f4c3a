import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import {
  Admitted,
  admittedRequest,
  RateLimited,
  ReadsFrom,
  requestSignal,
  type RateClass,
} from '@tapedeck/platform/http';
import {
  explorerCatalogue,
  patientSearchAdmission,
  searchAdmission,
  type RequestOptions,
} from '@tapedeck/search-engine/engine';

/** For each route that the engine answers: it is refused early when the engine has too many requests. */
export const AsksEngine = (rateClass: RateClass = 'explorer'): MethodDecorator =>
  applyDecorators(ReadsFrom(explorerCatalogue), Admitted(searchAdmission), RateLimited(rateClass));

/** The same for one that answers with a file, whose requests are patient. */
export const AsksEngineForFile = (): MethodDecorator =>
  applyDecorators(ReadsFrom(explorerCatalogue), Admitted(patientSearchAdmission), RateLimited('export'));

/** The options of the engine's requests for this request. */
export const EngineOptions = createParamDecorator((_: unknown, context: ExecutionContext): RequestOptions => {
  const { client, arrivedAt } = admittedRequest(context) ?? {};
  return {
    signal: requestSignal(context),
    ...(client === undefined ? {} : { client }),
    ...(arrivedAt === undefined ? {} : { arrivedAt }),
  };
});
