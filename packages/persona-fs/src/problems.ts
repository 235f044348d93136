/** Something about a persona's files that its owner should know. Loading goes on without the file or the field. */
export interface PersonaProblem {
  /** Stable; branch on this. */
  readonly code:
    | 'persona_dir_missing'
    | 'file_unsafe'
    | 'file_unreadable'
    | 'file_truncated'
    | 'file_bytes_invalid'
    | 'file_name_case'
    | 'header_invalid'
    | 'header_unclosed'
    | 'header_field_invalid'
    | 'header_field_unknown'
    | 'field_doubled'
    | 'id_conflict'
    | 'adaptive_file_invalid'
    | 'adaptive_file_doubled'
    | 'adaptive_field_refused'
    | 'adaptive_field_renamed'
    | 'adaptive_field_unknown'
    | 'memory_suspicious';
  /** The file's name inside the directory; `''` for the directory itself. */
  readonly file: string;
  /** What is wrong and what to do. Holds no text from the file. */
  readonly message: string;
  /** From 1, when known. */
  readonly line?: number | undefined;
}
