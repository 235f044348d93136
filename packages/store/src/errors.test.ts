import { isAgentosError } from '@x/core';
import { expect, test } from 'vitest';
import {
  EngineTooOldError,
  LeaseOverError,
  StepChangedError,
  StoreBusyError,
  StoreClosedError,
  StoreCorruptError,
  StoreDriverMissingError,
  StoreFailedError,
  StoreVersionError,
  TurnCancelledError,
} from './index.js';

test('every error has its code and says whether trying again may help', () => {
  const errors = [
    new StoreBusyError({ waitedMs: 5 }),
    new StoreClosedError(),
    new StoreCorruptError({ path: '/a.db', setAside: '/b' }),
    new StoreDriverMissingError({ driver: 'pg', install: 'npm install pg' }),
    new StoreFailedError({ driverCode: 'SQLITE_FULL', retryable: true }),
    new StoreVersionError({ found: 2, known: 1 }),
    new EngineTooOldError({ what: 'Node', found: '20', needed: '22.12.0' }),
    new LeaseOverError('lane'),
    new StepChangedError({ step: 's', lane: 'lane' }),
    new TurnCancelledError('lane'),
  ];
  expect(errors.map((error) => [isAgentosError(error), error.name.replace('Error', ''), error.code, error.retryable])).toEqual([
    [true, 'StoreBusy', 'store_busy', true],
    [true, 'StoreClosed', 'store_closed', false],
    [true, 'StoreCorrupt', 'store_corrupt', false],
    [true, 'StoreDriverMissing', 'store_driver_missing', false],
    [true, 'StoreFailed', 'store_failed', true],
    [true, 'StoreVersion', 'store_version_unsupported', false],
    [true, 'EngineTooOld', 'engine_too_old', false],
    [true, 'LeaseOver', 'lease_over', true],
    [true, 'StepChanged', 'step_changed', false],
    [true, 'TurnCancelled', 'turn_cancelled', false],
  ]);
});

test('a failure tells whether the commit may have happened', () => {
  expect(new StoreFailedError({ retryable: true }).message).toBe('The database failed. Nothing was written.');
  expect(new StoreFailedError({ retryable: true, driverCode: '57P01', outcomeUnknown: true }).message).toBe(
    'The database failed with 57P01. Whether the commit happened is unknown; committing the same turn again is safe.',
  );
});
