import { describe } from '@jest/globals';
import { systemClock } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';
import { eventStoreContract } from '../testing/event-store.contract.ts';
import { withEventTypes } from '../store/with-event-types.ts';
import { createMemoryTape } from './memory.ts';

describe('memory event store', () => {
  eventStoreContract(async () => {
    const tape: EventStore = createMemoryTape(systemClock);
    return { open: (types) => withEventTypes(tape, types), dispose: async () => {} };
  });
});
