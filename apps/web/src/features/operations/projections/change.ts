import type { Change, Consumer } from '@tapedeck/operations/contract';

const openStates: readonly Change['state'][] = ['requested', 'running', 'cancelling'];

/** The rebuild or roll-back that has not ended; null when there is none. */
export const changeUnderWay = ({ change }: Pick<Consumer, 'change'>): Change | null =>
  change && openStates.includes(change.state) ? change : null;
