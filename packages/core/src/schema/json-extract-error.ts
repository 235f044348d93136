import { AgentosError } from '../errors.js';

/** No value could be read from a text. `problem` says why, without quoting the text. */
export class JsonExtractError extends AgentosError {
  override readonly name = 'JsonExtractError';
  readonly code: 'json_not_found' | 'json_cut_off' | 'json_schema_mismatch';
  readonly retryable = false;
  readonly problem: string;
  constructor(code: JsonExtractError['code'], problem: string) {
    super(`${problem}. Ask for the JSON value alone, or repair the text first.`);
    this.code = code;
    this.problem = problem;
  }
}
