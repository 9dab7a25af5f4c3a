import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns, Roles } from '@tapedeck/platform/http';
import { Figures } from './contract.ts';
import { ShowFigures } from './queries/show-figures.ts';

@Roles('admin')
@Controller('api/admin/figures')
export class FiguresController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('figures')
  @Returns(200, Figures, { description: 'Members, revenue and payments by day; all times in UTC' })
  show(): Promise<Figures> {
    return this.#queries.execute(new ShowFigures());
  }
}
