import {
  applyDecorators,
  Inject,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { MEMBER_FEATURES } from '../tokens.ts';
import type { MemberFeatures } from './request-context.ts';
import { signedOut } from './routes.ts';

const featureOfRoute = 'tapedeck:feature';

@Injectable()
class FeatureGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #features: MemberFeatures;

  constructor(reflector: Reflector, @Inject(MEMBER_FEATURES) features: MemberFeatures) {
    this.#reflector = reflector;
    this.#features = features;
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const feature = this.#reflector.getAllAndOverride<string>(featureOfRoute, targets);
    const { account } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!account) throw signedOut();
    const isIncluded = this.#features.has(account, feature);
    return isIncluded === true || this.#assertIncluded(isIncluded, feature);
  }

  async #assertIncluded(isIncluded: boolean | Promise<boolean>, feature: string): Promise<boolean> {
    if (await isIncluded) return true;
    throw this.#features.missing(feature);
  }
}

/** Opens a route, or all routes of a controller, only to accounts whose plan includes the feature. */
export const NeedsFeature = (feature: string): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(featureOfRoute, feature), UseGuards(FeatureGuard));
