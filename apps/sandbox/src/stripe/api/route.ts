import { invalid } from '../engine/failure.ts';
import type { Tx } from '../engine/transaction.ts';
import type { Form } from './form.ts';

export type RouteInput = Readonly<{
  tx: Tx;
  form: Form;
  id: string;
  /** Removes the customer's person from everything stored. */
  forget: (customer: string) => void;
}>;

export type Route = Readonly<{
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Every other parameter is refused, `expand` excepted. */
  accepts: readonly string[];
  run: (input: RouteInput) => object;
}>;

export const checkParameters = ({ accepts }: Route, form: Form): void => {
  const unknown = Object.keys(form).find((name) => name !== 'expand' && !accepts.includes(name));
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown');
};
