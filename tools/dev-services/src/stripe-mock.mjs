// Runs stripe-mock, Stripe's own check of requests against its API description.
import { freePort } from '@tapedeck/dev-postgres';
import { buildGoProgram, startService } from './go-program.mjs';

const version = '0.203.0';

const answers = (/** @type {string} */ url) =>
  fetch(`${url}/v1/balance`, { headers: { authorization: 'Bearer sk_test_x' } }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts it and waits until it answers. It ends with `stop`. */
export const startStripeMock = async () => {
  const program = await buildGoProgram('github.com/stripe/stripe-mock', version);
  const port = await freePort(undefined);
  let securePort = await freePort(undefined);
  while (securePort === port) securePort = await freePort(undefined);
  // Without an address for both it opens the other one on all interfaces.
  const args = ['-http-addr', `127.0.0.1:${port}`, '-https-addr', `127.0.0.1:${securePort}`];
  const url = `http://127.0.0.1:${port}`;
  return startService({ program, args, url, answers: () => answers(url) });
};
