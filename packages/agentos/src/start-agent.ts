import type { HeartbeatConfig, PendingRequest } from '@x/core';
import { BeatFailedError, type BeatOutcome, type BeatReport, type SchedulePort, startHeartbeat } from '@x/persona-fs';
import type { AgentResult, AgentRuntime, Handle } from '@x/runtime';
import type { DirectoryAgent } from './directory-agent.js';
import { ConfigurationError } from './errors.js';
import type { AgentRuntimeOptions, SeedAgent } from './seed-agent.js';

export interface StartAgentOptions extends HeartbeatConfig {
  /** What the user should hear; quiet beats never come here. */
  readonly onBeat?: ((text: string) => void | Promise<void>) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  /** A beat waits for a human; answer with `runtime.resume`. */
  readonly onPending?: ((request: PendingRequest) => void | Promise<void>) | undefined;
  readonly onReport?: ((report: BeatReport) => void) | undefined;
  /** Milliseconds that a beat may take, waiting included; default 600,000. */
  readonly maxBeatMs?: number | undefined;
  /** Milliseconds for which an alarm that was told is not told again; default 12 hours. */
  readonly repeatAfterMs?: number | undefined;
  /** Milliseconds that `onBeat` and the other callbacks may take; default 30,000. */
  readonly maxTellMs?: number | undefined;
  /** Where the next beat is written down. Default: below a directory's `.persona`, in memory for other agents. */
  readonly schedule?: SchedulePort | undefined;
}

export interface StartedAgent {
  readonly runtime: AgentRuntime;
  /** The agent, for hosts that post and wake: users go before beats. */
  readonly handle: Handle;
  /** What was heard, newest last; the last hundred. */
  readonly beats: readonly string[];
  readonly errors: readonly unknown[];
  /** Ends the beats, then closes the runtime. May be called again. */
  stop(): Promise<void>;
}

/**
 * Gives an agent a heartbeat. A beat is a session of its own: the soul is read anew, the transcript is short, and of the
 * agent's tools it may use `memory` alone, beside the tool by which it stays silent.
 *
 * @throws `configuration_invalid`; what `startHeartbeat` and the model's address throw.
 */
export function startAgent(
  agent: SeedAgent,
  options: AgentRuntimeOptions,
  { onBeat, onError, onPending, onReport, schedule, ...config }: StartAgentOptions,
): StartedAgent {
  const directory = isDirectoryAgent(agent) ? agent : undefined;
  const runtime = agent.createRuntime(options);
  // Of this runtime: the agent may be run in others meanwhile.
  const soul = directory?.newestSoul;
  const handle = runtime.spawn(runtime.root, agent.name);
  if (handle.error !== undefined) throw new ConfigurationError(handle.error);
  const tools = directory?.tools ?? [...(agent.spec.tools ?? []), ...(agent.spec.uses?.tools ?? [])];
  const heartbeat = startHeartbeat({
    ...config,
    ...(directory ? { dir: directory.dir } : { checklist: () => agent.spec.does, key: `agent:${agent.name}` }),
    tools: tools.filter(({ name }) => name === 'memory'),
    schedule,
    clock: runtime.clock,
    onBeat,
    onPending,
    onReport,
    onError: (error) => onError?.(error),
    async runBeat(beat): Promise<BeatOutcome> {
      soul?.reload();
      const { id: conversation, prompt, tools: allowed, signal } = beat;
      // The signal stops this beat alone: a user's turn that it waits behind goes on.
      const woke = runtime.wake(handle, prompt, { origin: 'heartbeat', reload: true, conversation, tools: allowed, signal });
      return woke.ok ? outcomeOf(await runtime.wait(handle)) : { status: 'failed', error: new BeatFailedError('refused', woke.error) };
    },
  });
  return {
    runtime,
    handle,
    beats: heartbeat.beats,
    errors: heartbeat.errors,
    async stop() {
      await heartbeat.stop();
      await runtime.close(runtime.root);
    },
  };
}

/** By its shape: two copies of this package may meet in one process. */
function isDirectoryAgent(agent: SeedAgent): agent is DirectoryAgent {
  return 'dir' in agent && 'newestSoul' in agent;
}

function outcomeOf({ status, text, pending, code, limit }: AgentResult): BeatOutcome {
  if (status === 'done') return { status, text };
  if (status === 'pending' && pending) return { status, request: pending };
  return { status: 'failed', error: new BeatFailedError(code ?? limit ?? status, text) };
}
