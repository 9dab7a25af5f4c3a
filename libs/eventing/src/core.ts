// What rules are made of: types and pure functions. Nothing here reaches a package other than the kernel.
export * from './decider.ts';
export * from './event.ts';
export * from './event-store.ts';
export * from './event-types.ts';
export * from './projection.ts';
export * from './reaction.ts';
export * from './store/typed-events.ts';
