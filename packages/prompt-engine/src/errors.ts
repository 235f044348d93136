import { AgentosError } from '@x/core';

interface Fault {
  /** Where, such as `criteria.userSkillLevel.atLeast`. */
  readonly path: string;
  readonly problem: string;
}

/** A fault in what a persona's author wrote, with its place. */
abstract class AuthoringError extends AgentosError {
  readonly retryable = false;
  readonly path: string;
  readonly problem: string;
  constructor({ path, problem }: Fault, advice = 'Correct the element or remove it.') {
    super(`${path} ${problem}. ${advice}`);
    this.path = path;
    this.problem = problem;
  }
}

/** The criteria of an element cannot be read: an unknown key, a wrong type, a word that is not on its scale. */
export class CriteriaInvalidError extends AuthoringError {
  override readonly name = 'CriteriaInvalidError';
  readonly code = 'criteria_invalid';
}

/** An element itself cannot be read: an unknown type, content that is no text, a priority that is no number. */
export class ElementInvalidError extends AuthoringError {
  override readonly name = 'ElementInvalidError';
  readonly code = 'element_invalid';
}

/** A pattern of a text criterion could take very long on some input, or is no regular expression. */
export class PatternUnsafeError extends AuthoringError {
  override readonly name = 'PatternUnsafeError';
  readonly code = 'pattern_unsafe';
  constructor(fault: Fault) {
    super(fault, 'Write it more simply, or as plain keys.');
  }
}

/** A template names a variable that has no value. */
export class TemplateInvalidError extends AgentosError {
  override readonly name = 'TemplateInvalidError';
  readonly code = 'template_invalid';
  readonly retryable = false;
  readonly variable: string;
  constructor({ variable }: { variable: string }) {
    super(`The template names {{${variable}}}, which has no value. Give it one or take it out.`);
    this.variable = variable;
  }
}

/** No prompt format of this name is known, so nothing can be built for it. */
export class PromptFormatUnknownError extends AgentosError {
  override readonly name = 'PromptFormatUnknownError';
  readonly code = 'prompt_format_unknown';
  readonly retryable = false;
  constructor({ format, known }: { format: string; known: readonly string[] }) {
    super(`There is no prompt format "${format}". Use one of ${known.join(', ')}, or give it in the option formats.`);
  }
}

/** What cannot be cut is already larger than the budget. Nothing was built. */
export class PromptTooLargeError extends AgentosError {
  override readonly name = 'PromptTooLargeError';
  readonly code = 'prompt_too_large';
  readonly retryable = false;
  /** The largest part of what cannot be cut. */
  readonly part: 'system' | 'tools' | 'user';
  readonly tokens: number;
  readonly budgetTokens: number;
  constructor({ part, tokens, budgetTokens }: { part: 'system' | 'tools' | 'user'; tokens: number; budgetTokens: number }) {
    super(
      `System prompt, tools and user text need ${tokens} tokens of ${budgetTokens}, most of them ${part}. Shorten it or take a larger model.`,
    );
    this.part = part;
    this.tokens = tokens;
    this.budgetTokens = budgetTokens;
  }
}
