import { isAgentosError } from '@x/core';
import { expect, test } from 'vitest';
import {
  BeatFailedError,
  BeatInterruptedError,
  BeatTimeoutError,
  HeartbeatConfigError,
  MemoryBusyError,
  MemoryConflictError,
  MemoryFullError,
  MemoryPathError,
  MemoryUnreadableError,
  MemoryWriteError,
  NotOwnerError,
  PersonaDirError,
  PersonaFileError,
} from './index.js';

test.each([
  [new PersonaDirError('is missing'), 'persona_dir_missing', false],
  [new PersonaFileError({ file: 'a.json', problem: 'x' }), 'persona_file_invalid', false],
  [new MemoryPathError({ file: 'a', problem: 'x.' }), 'memory_path_unsafe', false],
  [new MemoryBusyError('x'), 'memory_busy', true],
  [new MemoryFullError({ file: 'a', freeBytes: 1, neededBytes: 2, largest: [{ text: 'private', sizeBytes: 7 }] }), 'memory_full', false],
  [new MemoryUnreadableError({ file: 'a', problem: 'x.' }), 'memory_file_unreadable', false],
  [new MemoryWriteError({ file: 'a', cause: new Error('private') }), 'memory_write_failed', true],
  [new MemoryConflictError('x'), 'memory_conflict', false],
  [new NotOwnerError('x'), 'not_owner', false],
  [new HeartbeatConfigError({ field: 'cron', problem: 'x' }), 'heartbeat_config_invalid', false],
  [new BeatTimeoutError(1), 'beat_timeout', true],
  [new BeatFailedError('error', 'private'), 'beat_failed', true],
  [new BeatFailedError('private text', undefined), 'beat_failed', true],
  [new BeatInterruptedError(), 'beat_interrupted', false],
])('%s has a stable code and keeps the text of notes to itself', (error, code, retryable) => {
  expect(isAgentosError(error)).toBe(true);
  expect(error).toMatchObject({ code, retryable, name: error.constructor.name });
  expect(error.message).not.toContain('private');
});
