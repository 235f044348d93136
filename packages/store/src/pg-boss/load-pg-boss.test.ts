import { expect, test } from 'vitest';
import { jobId } from './job-id.js';
import { checkAttempts, isBefore, loadPgBoss, type PgBossClass } from './load-pg-boss.js';

const PgBoss = class {} as unknown as PgBossClass;
const policies = { key_strict_fifo: 'key_strict_fifo' };

test('an older Node is refused before pg-boss is loaded', async () => {
  const load = () => Promise.reject(new Error('loaded'));
  for (const node of ['18.20.0', '20.19.4', '22.11.9'])
    await expect(loadPgBoss({ node, load })).rejects.toMatchObject({ code: 'engine_too_old', message: expect.stringContaining(node) });
});

test('an older pg-boss is refused', async () => {
  for (const found of [{}, { PgBoss }, { PgBoss, policies: { standard: 'standard' } }, { policies }])
    await expect(loadPgBoss({ node: '22.12.0', load: async () => found })).rejects.toMatchObject({ code: 'engine_too_old' });
  expect(await loadPgBoss({ node: '22.12.0', load: async () => ({ PgBoss, policies }) })).toBe(PgBoss);
  const assertion = Object.assign(new Error('touch() requires a string id'), { code: 'ERR_ASSERTION' });
  await expect(checkAttempts({ touch: () => Promise.reject(assertion) }, 'turns')).rejects.toMatchObject({ code: 'engine_too_old' });
  await expect(checkAttempts({ touch: () => Promise.reject(new Error('down')) }, 'turns')).rejects.toThrow('down');
  await checkAttempts({ touch: () => Promise.resolve({}) }, 'turns');
});

test('a missing pg-boss names the install line', async () => {
  const load = () => Promise.reject(new Error('Cannot find package'));
  await expect(loadPgBoss({ node: '24.0.0', load })).rejects.toMatchObject({
    code: 'store_driver_missing',
    message: expect.stringContaining('npm install pg-boss@12 pg@8'),
  });
});

test('versions are compared by their numbers', () => {
  for (const [version, needed] of [
    ['9.9.9', '10.0.0'],
    ['v22.9.0', '22.12.0'],
    ['12.37.9', '12.38.0'],
  ] as const)
    expect(isBefore(version, needed)).toBe(true);
  for (const [version, needed] of [
    ['12.38.0', '12.38.0'],
    ['12.40.0-rc.1', '12.38.0'],
    ['v100.0.0', '22.12.0'],
  ] as const)
    expect(isBefore(version, needed)).toBe(false);
});

test('the same turn is the same job, another one another', () => {
  expect(jobId('turns', 'a/b/c', 't1')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(jobId('turns', 'a/b/c', 't1')).toBe(jobId('turns', 'a/b/c', 't1'));
  const ids = [jobId('turns', 'a', 'bc'), jobId('turns', 'ab', 'c'), jobId('batches', 'a', 'bc')];
  expect(new Set(ids).size).toBe(3);
});
