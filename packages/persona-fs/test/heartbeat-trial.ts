import { createVirtualClock } from '@x/testkit';
import type { Beat, BeatOutcome, BeatReport } from '../src/beat-types.js';
import type { HeartbeatOptions } from '../src/heartbeat-settings.js';
import { startHeartbeat } from '../src/start-heartbeat.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const done = (text: string): BeatOutcome => ({ status: 'done', text });

/** A heartbeat on a virtual clock that remembers what happened. */
export function trial(
  options: Partial<HeartbeatOptions> & { readonly reply?: (beat: Beat) => BeatOutcome | Promise<BeatOutcome> },
  startMs = Date.UTC(2026, 2, 2),
) {
  const clock = createVirtualClock(startMs);
  const beats: Beat[] = [];
  const heard: string[] = [];
  const asked: string[] = [];
  const failed: { code: unknown; failures: number }[] = [];
  const reports: BeatReport[] = [];
  const settings: HeartbeatOptions = {
    clock,
    random: () => 0.5,
    checklist: () => '- look around',
    onBeat: (text) => void heard.push(text),
    onPending: (request) => void asked.push(request.prompt),
    onError: (error, { failures }) => failed.push({ code: (error as { code?: unknown }).code ?? (error as Error).message, failures }),
    onReport: (report) => reports.push(report),
    runBeat: async (beat) => {
      beats.push(beat);
      return options.reply?.(beat) ?? done('HEARTBEAT_OK');
    },
    ...options,
  };
  const start = (more: Partial<HeartbeatOptions> = {}) => startHeartbeat({ ...settings, ...more });
  return { clock, beats, heard, asked, failed, reports, start };
}
