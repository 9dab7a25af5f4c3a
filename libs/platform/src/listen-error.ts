import { DomainError, messageOf } from '@tapedeck/kernel';

type Address = Readonly<{ port: number; host: string; portName: string; hostName: string }>;

/** One sentence that says why a server cannot listen, and which environment variable helps. */
export const listenError = (error: unknown, { port, host, portName, hostName }: Address): DomainError => {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    return new DomainError(
      'unavailable',
      'PORT_TAKEN',
      `Port ${port} is taken by another program: choose another with ${portName}.`,
    );
  if (code === 'EACCES')
    return new DomainError(
      'forbidden',
      'PORT_FORBIDDEN',
      `Port ${port} may only be used by an administrator: choose one above 1023 with ${portName}.`,
    );
  return new DomainError(
    'invalid',
    'ADDRESS_UNUSABLE',
    `${hostName} is "${host}", where this machine cannot listen (${messageOf(error)}): choose another address.`,
  );
};
