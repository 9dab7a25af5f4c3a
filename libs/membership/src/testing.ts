/** For tests of other modules: the rules of memberships, and what access they give. */
export { accessAt } from './domain/access.ts';
export { membershipDecider } from './domain/decide.ts';
export { membershipDue } from './projections/membership-due.ts';
