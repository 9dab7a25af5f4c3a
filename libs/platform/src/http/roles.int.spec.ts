import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { derivedId } from '@tapedeck/kernel';
import { asAccount, asRoles, createTestApp } from '../testing/http-app.ts';
import { LOGGER } from '../tokens.ts';
import type { Logger } from '../log.ts';
import { Public, Roles } from './routes.ts';

@Roles('admin')
@Controller('admin')
class AdminController {
  @Get('board')
  board(): string {
    return 'board';
  }

  @Get('inbox')
  @Roles('support', 'admin')
  inbox(): string {
    return 'inbox';
  }

  @Public()
  @Get('contradiction')
  contradiction(): string {
    return 'both';
  }
}

@Controller('member')
class MemberController {
  @Get('page')
  page(): string {
    return 'page';
  }
}

@Module({ controllers: [AdminController, MemberController] })
class RolesModule {}

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  app = await createTestApp({ modules: [RolesModule] });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

const account = derivedId('roles.int.spec');
const as = (roles: string): Record<string, string> => ({ [asAccount]: account, [asRoles]: roles });
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}${path}`, { headers });

describe('a route with roles', () => {
  it.each([
    ['/admin/board', [401, 403, 403, 200, 200]],
    ['/admin/inbox', [401, 403, 200, 200, 200]],
    ['/admin/contradiction', [401, 403, 403, 200, 200]],
    ['/member/page', [401, 200, 200, 200, 200]],
  ])('%s is open to exactly those that have one of its roles', async (path, expected) => {
    const callers = [{}, as(''), as('support'), as('admin'), as('support,admin')];
    const statuses: number[] = [];
    for (const headers of callers) statuses.push((await get(path, headers)).status);
    expect(statuses).toEqual(expected);
  });

  it('says what is missing, and leaves a line in the trail', async () => {
    const log = jest.spyOn(app.get<Logger>(LOGGER, { strict: false }), 'info');
    const answer = await get('/admin/board', as('support'));
    expect(await answer.json()).toMatchObject({
      status: 403,
      code: 'ROLE_REQUIRED',
      detail: expect.stringContaining('only for accounts with the role admin'),
    });
    const details = { event: 'authz_fail', account, route: '/admin/board', code: 'ROLE_REQUIRED' };
    expect(log).toHaveBeenCalledWith(expect.objectContaining(details), 'security');
  });
});
