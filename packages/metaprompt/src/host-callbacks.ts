import { isPromiseLike, type Logged, type TraceEntry } from '@x/core';

/** How a host hears of what its metaprompts do. One that throws or rejects is told in the trace, once, and changes nothing. */
export interface HostCallbacks {
  readonly onTrace?: ((entry: TraceEntry) => void) | undefined;
  readonly onMoodUpdate?: ((mood: string) => void) | undefined;
  readonly onUserContextUpdate?: ((updates: { readonly skillLevel: string }) => void) | undefined;
  readonly onTaskContextUpdate?: ((updates: { readonly complexity: string }) => void) | undefined;
  readonly onMemoryImprint?: ((imprint: { readonly key: string; readonly value: unknown }) => void) | undefined;
}

/** The callbacks, none of which throws. */
export interface HostVoice {
  trace(entry: TraceEntry): void;
  /** Tells what was committed. */
  changed(logged: readonly Logged[]): void;
}

/** @param onFault - Called at the first fault of each callback. */
export function createHostVoice(callbacks: HostCallbacks, onFault: (callback: string, error: unknown) => void): HostVoice {
  const { onTrace, onMoodUpdate, onUserContextUpdate, onTaskContextUpdate, onMemoryImprint } = callbacks;
  const faultOf =
    (name: keyof HostCallbacks) =>
    (error: unknown): void =>
      onFault(name, error);
  const mood = guard(onMoodUpdate, faultOf('onMoodUpdate'));
  const skill = guard(onUserContextUpdate, faultOf('onUserContextUpdate'));
  const complexity = guard(onTaskContextUpdate, faultOf('onTaskContextUpdate'));
  const imprint = guard(onMemoryImprint, faultOf('onMemoryImprint'));
  return {
    trace: guard(onTrace, faultOf('onTrace')),
    changed(logged) {
      for (const { operation } of logged) {
        if ('imprint' in operation) imprint({ key: operation.imprint, value: operation.value });
        if (!('set' in operation)) continue;
        if (operation.set === 'mood') mood(operation.to);
        if (operation.set === 'skill') skill({ skillLevel: operation.to });
        if (operation.set === 'complexity') complexity({ complexity: operation.to });
      }
    },
  };
}

// A function that returns nothing may be an async one, whose failure nobody would catch.
function guard<T>(callback: ((value: T) => unknown) | undefined, onFault: (error: unknown) => void): (value: T) => void {
  let told = false;
  const fault = (error: unknown): void => {
    if (!told) {
      told = true;
      onFault(error);
    }
  };
  return (value) => {
    try {
      const said = callback?.(value);
      if (isPromiseLike(said)) said.then(undefined, fault);
    } catch (error) {
      fault(error);
    }
  };
}
