/** Lets a model change its own traits through `adapt_personality`, as in the seed. */
export interface EmergentConfig {
  readonly selfImprovement?:
    | {
        /** Default false. */
        readonly enabled?: boolean | undefined;
        readonly personality?:
          | {
              /** Sum of |delta| for one trait in one session, 0 to 1; default 0.15. */
              readonly maxDeltaPerSession?: number | undefined;
              /** A human confirms each change. Default false. */
              readonly approve?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
}
