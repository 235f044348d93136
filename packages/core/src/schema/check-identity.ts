import { fillTemplate } from '../fill-template.js';
import { ownValue } from '../values.js';
import { didYouMean } from './did-you-mean.js';
import { asList, asRaws, asWord, isLanguageTag, isRaw, type Raw, type Report } from './persona-issue.js';

export interface IdentityOptions {
  readonly knownToolIds?: readonly string[] | undefined;
  readonly reservedPersonaIds?: readonly string[] | undefined;
  /** Characters; default 2,000. */
  readonly maxSystemPromptLength?: number | undefined;
  readonly maxSystemPromptTokens?: number | undefined;
  readonly tokenEstimator?: ((text: string) => number) | undefined;
}

const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const ENDPOINT_FIELDS = ['apiKey', 'api_key', 'baseUrl', 'baseURL', 'endpoint', 'headers', 'secrets', 'authorization'];

/** Checks who the persona is: names, version, language, prompt, tools, models. */
export function checkIdentity(persona: Raw, report: Report, options: IdentityOptions): void {
  for (const field of ['id', 'name', 'description', 'version', 'baseSystemPrompt']) {
    if (!persona[field]) report('missing_required_field', 'error', field, `${field} is missing. Add it.`);
  }
  if (options.reservedPersonaIds?.includes(asWord(persona.id)))
    report('reserved_persona_id', 'error', 'id', 'This id is kept for the host. Choose another.');
  const version = persona.version;
  if (version && (typeof version !== 'string' || !SEMVER.test(version)))
    report('invalid_semver', 'error', 'version', 'version must be a semantic version such as 1.0.0.');
  const language = persona.defaultLanguage;
  if (language !== undefined && !isLanguageTag(language))
    report('invalid_bcp47_language', 'error', 'defaultLanguage', 'defaultLanguage must be a BCP 47 tag such as en or pt-BR.');
  for (const field of ENDPOINT_FIELDS) {
    if (field in persona) report('forbidden_field', 'error', field, `A persona names no ${field}; give it to the model client instead.`);
  }
  checkPrompt(persona.baseSystemPrompt, report, options);
  checkTools(persona.toolIds, report, options.knownToolIds);
  checkModels(persona, report);
  const outputs = asList(persona.allowedOutputModalities);
  if (persona.voiceConfig && !outputs.includes('audio_tts'))
    report(
      'voice_config_without_audio_output',
      'warning',
      'voiceConfig',
      'voiceConfig has no effect without audio_tts among allowedOutputModalities.',
    );
  const keywords = persona.activationKeywords;
  if (keywords !== undefined && !(Array.isArray(keywords) && keywords.every((word) => typeof word === 'string')))
    report('invalid_field_type', 'error', 'activationKeywords', 'activationKeywords must be a list of strings.');
  checkTrace(persona.reasoningTraceConfig, report);
}

function checkPrompt(
  prompt: unknown,
  report: Report,
  { maxSystemPromptLength = 2_000, maxSystemPromptTokens, tokenEstimator }: IdentityOptions,
): void {
  if (!prompt) return;
  const path = 'baseSystemPrompt';
  const pieces = Array.isArray(prompt) ? asRaws(prompt).map(([item]) => item.content) : isRaw(prompt) ? [prompt.template] : [prompt];
  if (pieces.length === 0 || pieces.some((piece) => typeof piece !== 'string' || piece.trim() === '')) {
    report(
      'invalid_field_type',
      'error',
      path,
      'baseSystemPrompt must be a text, { template, variables? }, or a list of { content, priority? }.',
    );
    return;
  }
  if (isRaw(prompt)) checkTemplate(prompt, report);
  const text = pieces.join('\n\n');
  if (text.length > maxSystemPromptLength)
    report('system_prompt_too_long', 'warning', path, `The system prompt has ${text.length} characters, over ${maxSystemPromptLength}.`);
  if (maxSystemPromptTokens === undefined || !tokenEstimator) return;
  try {
    const tokens = tokenEstimator(text);
    if (tokens > maxSystemPromptTokens)
      report(
        'system_prompt_too_many_tokens',
        'warning',
        path,
        `The system prompt has about ${tokens} tokens, over ${maxSystemPromptTokens}.`,
      );
  } catch {
    report('token_estimation_failed', 'warning', path, 'The token estimator threw; the prompt was not measured.');
  }
}

function checkTemplate({ template, variables }: Raw, report: Report): void {
  const missing = new Set<string>();
  fillTemplate(asWord(template), (name) => {
    const value = isRaw(variables) ? ownValue(variables, name) : undefined;
    if (value === undefined || value === null) missing.add(name);
    return '';
  });
  for (const name of missing)
    report('template_invalid', 'error', 'baseSystemPrompt.template', `The template names {{${name}}}, which variables does not give.`);
}

function checkTools(toolIds: unknown, report: Report, known: readonly string[] | undefined): void {
  const seen = new Set<unknown>();
  asList(toolIds).forEach((id, index) => {
    const path = `toolIds[${index}]`;
    if (seen.has(id)) report('duplicate_tool_id', 'error', path, 'This tool is named twice.');
    else if (known && !known.includes(asWord(id)))
      report('unknown_tool_id', 'error', path, `No tool has this id.${didYouMean(asWord(id), known)}`);
    seen.add(id);
  });
}

function checkModels(persona: Raw, report: Report): void {
  if (!persona.costSavingStrategy)
    report('missing_cost_strategy', 'suggestion', 'costSavingStrategy', 'Say what matters more, cost or quality.');
  for (const [preference, index] of asRaws(persona.modelTargetPreferences)) {
    const path = `modelTargetPreferences[${index}]`;
    const ids = asList(preference.allowedModelIds);
    if (new Set(ids).size !== ids.length)
      report('duplicate_allowed_model_ids', 'error', `${path}.allowedModelIds`, 'A model is named twice.');
    if (preference.modelFamily && preference.modelId)
      report('over_specified_model_preference', 'warning', path, 'modelId decides; modelFamily has no effect beside it.');
  }
  const memory = persona.memoryConfig;
  const rag = isRaw(memory) && isRaw(memory.ragConfig) ? memory.ragConfig : undefined;
  const sources = asRaws(rag?.dataSources).map(([source]) => source.id);
  if (new Set(sources).size !== sources.length)
    report('duplicate_rag_datasource_ids', 'error', 'memoryConfig.ragConfig.dataSources', 'Two data sources share an id.');
  const processing = isRaw(rag?.ingestionProcessing) ? rag.ingestionProcessing : undefined;
  const summarization = isRaw(processing?.summarization) ? processing.summarization : undefined;
  if (summarization?.enabled && !summarization.method)
    report(
      'rag_summarization_method_missing',
      'warning',
      'memoryConfig.ragConfig.ingestionProcessing.summarization',
      'Summarization is on but names no method.',
    );
}

function checkTrace(trace: unknown, report: Report): void {
  if (trace === undefined) return;
  if (!isRaw(trace)) return report('invalid_field_type', 'error', 'reasoningTraceConfig', 'reasoningTraceConfig must be an object.');
  for (const [field, ceiling] of [
    ['maxEntries', 10_000],
    ['maxMessageLength', 100_000],
  ] as const) {
    const value = trace[field];
    if (value === undefined) continue;
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > ceiling) {
      report(
        'invalid_reasoning_trace_config',
        'warning',
        `reasoningTraceConfig.${field}`,
        `${field} must be a whole number from 1 to ${ceiling}.`,
      );
    }
  }
}
