import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Admissions } from '@tapedeck/platform/http';
import { SEARCH_BACKEND, searchBusy, type SearchBackend } from './search-backend.ts';

/** For `@Admitted`: the routes that the search engine answers. */
export const searchAdmission = 'search';
/** Those among them whose requests are patient. */
export const patientSearchAdmission = 'patient search';

/** More requests at a time make no answer come earlier, and each one waits for all others. */
const maxInFlight = 128;
const maxPatientInFlight = 32;

/** Limits the requests that the search engine has to answer. */
@Injectable()
export class SearchAdmission implements OnModuleInit {
  readonly #admissions: Admissions;
  readonly #backend: SearchBackend;

  constructor(admissions: Admissions, @Inject(SEARCH_BACKEND) backend: SearchBackend) {
    this.#admissions = admissions;
    this.#backend = backend;
  }

  onModuleInit(): void {
    this.#register(searchAdmission, maxInFlight, false);
    this.#register(patientSearchAdmission, maxPatientInFlight, true);
  }

  #register(name: string, max: number, isPatient: boolean): void {
    this.#admissions.register(name, {
      maxInFlight: max,
      isBusy: (client) => this.#backend.isBusy?.({ client, isPatient }) ?? false,
      refusal: searchBusy,
    });
  }
}
