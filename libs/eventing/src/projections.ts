export { cancelBuild, changeBuild, type ChangeOptions, type ChangeOutcome } from './runner/change-build.ts';
export {
  listCheckpoints,
  listParkedKeys,
  type ListedCheckpoint,
  type ParkedKey,
} from './runner/checkpoint-list.ts';
export { foldEach } from './runner/fold-batch.ts';
export { dropVersion, switchBack } from './runner/go-live.ts';
export type { BuildChange, ChangeKind } from './runner/prepare-standby.ts';
export { projectToEnd } from './runner/project-to-end.ts';
export { projectionStatus } from './runner/projection-status.ts';
export { poolOf, startProjector, type Projector, type ProjectionDatabases } from './runner/projector.ts';
export { dumpReadModel, rebuildInto } from './runner/read-model-dump.ts';
export { readModelState, type ReadModelState } from './runner/read-model-state.ts';
export { storedTable } from './runner/rows/tables.ts';
export { assertSameTape } from './runner/same-tape.ts';
export type { ProjectorLogger } from './runner/run-leased.ts';
export { waitForPosition } from './runner/wait-for-position.ts';
