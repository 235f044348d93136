/** One thing that the doctor found, and what to do about it. */
export interface Finding {
  /** An error keeps something from working; a warning costs money, speed or part of the persona. */
  readonly severity: 'error' | 'warning' | 'ok';
  readonly what: string;
  readonly fix?: string | undefined;
}
