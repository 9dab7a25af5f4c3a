import { register, type Metric } from 'prom-client';

/** A metric of the process's default registry: made once, however many stores and projectors there are. */
export const metricOnce = <Kind extends Metric>(name: string, create: () => Kind): Kind =>
  (register.getSingleMetric(name) as Kind | undefined) ?? create();
