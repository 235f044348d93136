import { expect, test } from 'vitest';
import { applyToolManifest } from './tool-manifest.js';

test('of two tools with one name, each is in or out by its own id', () => {
  const [web, disk] = [
    { id: 'web', name: 'search' },
    { id: 'disk', name: 'search' },
  ];
  const asked = { personaId: 'ava', modelId: 'm' };
  const without = (id: string) => ({ ava: { disabledToolIds: [id] } });
  expect(applyToolManifest([web, disk], without('web'), asked).tools).toEqual([disk]);
  expect(applyToolManifest([web, disk], without('disk'), asked).tools).toEqual([web]);
});
