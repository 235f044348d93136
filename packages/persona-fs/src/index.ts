export type { ToldAlarm } from './alarm-key.js';
export { BeatFailedError, BeatInterruptedError, BeatTimeoutError } from './beat-errors.js';
export { type BeatMoment, beatPrompt, type LocalTime } from './beat-prompt.js';
export { type BeatSlots, beatSlots, HeartbeatConfigError } from './beat-slots.js';
export type { Beat, BeatOutcome, BeatReport, PendingBeat, RunBeat } from './beat-types.js';
export { BOOTSTRAP_ORDER, type BootstrapFile, HEARTBEAT_OK, MAX_FILE_BYTES, type MemoryTarget, TRUNCATION_NOTICE } from './bootstrap.js';
export { isEmptyChecklist } from './checklist.js';
export { type ClassifyReplyOptions, classifyReply, type ReplyVerdict } from './classify-reply.js';
export { type ComposedSoul, type ComposeOptions, composeSoul } from './compose-soul.js';
export { DREAM_CHECKLIST, type DreamOptions, type DreamResult, dream } from './dream.js';
export type { EditPlan, NotesEdit } from './edit-notes.js';
export {
  MemoryBusyError,
  MemoryConflictError,
  MemoryFullError,
  MemoryPathError,
  MemoryUnreadableError,
  MemoryWriteError,
  NotOwnerError,
  PersonaDirError,
  PersonaFileError,
} from './errors.js';
export { createFileSchedule, type FileSchedule } from './file-schedule.js';
export { type AgentBudget, type FromDirOptions, fromDir, type PersonaAgent } from './from-dir.js';
export type { HeartbeatOptions } from './heartbeat-settings.js';
export { type InboxTool, inboxTool } from './inbox-tool.js';
export { type LoadedPersona, type LoadOptions, loadPersona, loadPersonas, readPersona } from './load-persona.js';
export { type Author, formatDiff, type MemoryRecord } from './memory-journal.js';
export type { MemoryEntry } from './memory-listing.js';
export type { Promotion } from './memory-moves.js';
export { type MemoryTool, type MemoryToolOptions, type MemoryToolResult, memoryTool } from './memory-tool.js';
export { type EditOutcome, type Memory, type MemoryEdit, type MemoryOptions, openMemory } from './open-memory.js';
export { openSoul, type SoulHook, type SoulSession, senderNotes, soulHook } from './open-soul.js';
export { planTidy, type TidyEntry } from './plan-tidy.js';
export type { PersonaProblem } from './problems.js';
export { createQuietTool, type QuietTool } from './quiet-tool.js';
export { createMemorySchedule, type SchedulePort, type ScheduleRow } from './schedule.js';
export type { SoulHeader } from './soul-header.js';
export { type Heartbeat, startHeartbeat } from './start-heartbeat.js';
