import { eventually } from '@tapedeck/eventing/testing';
import { ImportStatus, strategyRoutes, UploadAccepted } from '@tapedeck/strategies/contract';
import { assertSettled } from './payments/payments-product.ts';
import {
  changeRole,
  startRealProcesses,
  type RealProcesses,
  type RealProcessesOptions,
} from './payments/real-processes.ts';

const maxMs = 60_000;
const email = 'admin@example.com';

/** An admin who uploads. */
export type Uploader = Readonly<{
  /** Sends the file again while the API does not accept it; returns the id of the import. */
  upload: (zip: Buffer) => Promise<string>;
  statusOf: (jobId: string) => Promise<ImportStatus>;
}>;

/** The shipped API and projector, with an uploader. */
export type UploadProduct = RealProcesses & Uploader;

export const uploaderAt = async (processes: RealProcesses): Promise<Uploader> => {
  const { url } = processes;
  await processes.signIn(email);
  await eventually(() => assertSettled(processes.product), maxMs);
  await changeRole(processes, ['grant', 'admin', email]);
  const admin = await processes.signIn(email);
  return {
    upload: async (zip) => {
      const body = new FormData();
      body.set('zipFile', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'a.zip');
      const request = { method: 'POST', headers: { origin: url }, body };
      let jobId = '';
      await eventually(async () => {
        const answer = await admin.request(`${url}${strategyRoutes.upload}`, request);
        if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
        ({ jobId } = UploadAccepted.parse(await answer.json()));
      }, maxMs);
      return jobId;
    },
    statusOf: async (jobId) =>
      ImportStatus.parse(await (await admin.request(`${url}${strategyRoutes.importStatus(jobId)}`)).json()),
  };
};

export const startUploadProduct = async (options?: RealProcessesOptions): Promise<UploadProduct> => {
  const processes = await startRealProcesses(options);
  return { ...processes, ...(await uploaderAt(processes)) };
};
