export type FailureBody = Readonly<{
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: object;
}>;

/** An error that the API answers. With `keepsChanges` what was done before it stays done, as after a decline. */
export class StripeFailure extends Error {
  readonly status: number;
  /** Where Fastify looks for it. */
  readonly statusCode: number;
  readonly body: FailureBody;
  readonly keepsChanges: boolean;

  constructor(status: number, body: FailureBody, keepsChanges = false) {
    super(body.message);
    this.name = 'StripeFailure';
    this.status = status;
    this.statusCode = status;
    this.body = body;
    this.keepsChanges = keepsChanges;
  }
}

export const invalid = (message: string, param?: string, code?: string): StripeFailure =>
  new StripeFailure(400, {
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });

export const missing = (noun: string, id: string, param = 'id'): StripeFailure =>
  new StripeFailure(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param,
  });
