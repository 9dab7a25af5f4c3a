import type { Effect } from '@tapedeck/eventing';
import { noteKeysEffect, type AuditPorts } from './effects/note-keys.ts';

export type { AuditPorts } from './effects/note-keys.ts';

export const auditEffects = (ports: AuditPorts): readonly Effect[] => [noteKeysEffect(ports)];
