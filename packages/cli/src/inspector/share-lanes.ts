import { type Lane, laneKey, type OpenLaneOptions, openLane } from '@x/agentos';

/**
 * Makes an opener that opens each lane once, so that the talks of one folder wait in one queue. Who shares a lane closes
 * it together: the first that closes it ends it for all.
 */
export function shareLanes(): (options: OpenLaneOptions) => Promise<Lane> {
  const open = new Map<string, Promise<Lane>>();
  return (options) => {
    const key = laneKey(options.scope);
    const lane =
      open.get(key) ??
      openLane(options).catch((error: unknown) => {
        open.delete(key);
        throw error;
      });
    open.set(key, lane);
    return lane;
  };
}
