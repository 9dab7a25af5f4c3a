import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isoNow } from '@tapedeck/kernel';
import { jobStatuses } from '@tapedeck/platform/job-status';
import type { JobsPage } from '../contract.ts';
import { OPERATIONS_READS, type OperationsReads } from './operations-reads.ts';

export class ShowJobs extends Query<JobsPage> {}

@QueryHandler(ShowJobs)
export class ShowJobsHandler implements IQueryHandler<ShowJobs> {
  readonly #reads: OperationsReads;

  constructor(@Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
  }

  async execute(): Promise<JobsPage> {
    const { databases, clock } = this.#reads;
    const jobs = await jobStatuses(databases.tapedeck);
    return {
      readAt: isoNow(clock),
      jobs: jobs.map(({ newestFailures, ...job }) => ({ ...job, newestFailures: [...newestFailures] })),
    };
  }
}
