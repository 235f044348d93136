import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { endWhenNobodyReads } from './closed-pipe.js';

test('a closed pipe ends the program, any other fault of a stream is thrown', () => {
  const stream = new EventEmitter();
  let ends = 0;
  endWhenNobodyReads([stream], () => {
    ends += 1;
  });
  stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(ends).toBe(1);
  expect(() => stream.emit('error', new Error('disk full'))).toThrow('disk full');
});
