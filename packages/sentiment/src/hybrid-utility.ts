import {
  type ClassificationResult,
  type ClassifyOptions,
  createId,
  InvalidArgumentError,
  type IUtilityAI,
  isAgentosError,
  type Json,
  type KeywordOptions,
  type LanguageResult,
  type NGramOptions,
  type NormalizeOptions,
  type ParseJsonOptions,
  type ReadabilityOptions,
  type ReadabilityResult,
  type SentimentResult,
  type SimilarityOptions,
  type StemOptions,
  type SummarizeOptions,
  type TokenizeOptions,
  type TrainingItem,
  type TrainingResult,
} from '@x/core';
import { NotSupportedError } from './not-supported-error.js';
import type { AffectOptions } from './statistical-utility.js';

export interface HybridUtilityOptions {
  readonly utilityId?: string | undefined;
  readonly llm?: IUtilityAI | undefined;
  readonly statistical?: IUtilityAI | undefined;
  /** Told when one part failed and the other took over. */
  readonly onFallback?: ((event: { readonly method: string; readonly error: unknown }) => void) | undefined;
}

/**
 * Two utilities as one: the model for meaning, code for the rest. When the preferred part is absent or fails, the other
 * takes over; the seed did so only when it was absent.
 */
export class HybridUtilityAI implements IUtilityAI {
  readonly utilityId: string;
  readonly #llm: IUtilityAI | undefined;
  readonly #statistical: IUtilityAI | undefined;
  readonly #onFallback: HybridUtilityOptions['onFallback'];

  /** @throws {@link InvalidArgumentError} neither part. */
  constructor({ utilityId, llm, statistical, onFallback }: HybridUtilityOptions) {
    if (llm === undefined && statistical === undefined) {
      throw new InvalidArgumentError('HybridUtilityAI needs llm, statistical or both. Pass at least one.');
    }
    this.utilityId = utilityId ?? (llm && statistical ? `hybrid-${llm.utilityId}-${statistical.utilityId}` : createId('hybrid'));
    this.#llm = llm;
    this.#statistical = statistical;
    this.#onFallback = onFallback;
  }

  async initialize(config?: { readonly [key: string]: Json }): Promise<void> {
    await Promise.all([this.#llm?.initialize?.(config), this.#statistical?.initialize?.(config)]);
  }

  /** Method `llm` goes to the model part, everything else to the statistical one. */
  async analyzeSentiment(text: string, options: AffectOptions = {}): Promise<SentimentResult> {
    const prefersModel = options.method === 'llm';
    return this.#try('analyzeSentiment', { prefersModel, signal: options.signal }, (part) => {
      const isModel = part === this.#llm;
      return part.analyzeSentiment(text, prefersModel && !isModel ? { ...options, method: undefined } : options);
    });
  }

  async summarize(text: string, options: SummarizeOptions = {}): Promise<string> {
    const needsCode = options.method === 'extractive' || options.method === 'first_n_sentences';
    return this.#try('summarize', { prefersModel: !needsCode, signal: options.signal }, (part) => {
      const isModelMethod = options.method === 'abstractive_llm' || options.method === 'key_points_llm';
      return part.summarize(text, part === this.#statistical && isModelMethod ? { ...options, method: 'extractive' } : options);
    });
  }

  async classifyText(text: string, options: ClassifyOptions): Promise<ClassificationResult> {
    const needsCode = options.method === 'keyword' || options.method === 'naive_bayes';
    return this.#try('classifyText', { prefersModel: !needsCode, signal: options.signal }, (part) =>
      part.classifyText(text, part === this.#statistical && options.method === 'llm' ? { ...options, method: 'keyword' } : options),
    );
  }

  async extractKeywords(text: string, options: KeywordOptions = {}): Promise<readonly string[]> {
    const needsCode = options.method === 'frequency' || options.method === 'rake';
    return this.#try('extractKeywords', { prefersModel: !needsCode, signal: options.signal }, (part) =>
      part.extractKeywords(text, part === this.#statistical && options.method === 'llm' ? { ...options, method: 'frequency' } : options),
    );
  }

  async tokenize(text: string, options: TokenizeOptions = {}): Promise<readonly string[]> {
    return this.#try('tokenize', {}, (part) => part.tokenize(text, options));
  }

  async stemTokens(tokens: readonly string[], options: StemOptions = {}): Promise<readonly string[]> {
    return this.#try('stemTokens', {}, (part) => part.stemTokens(tokens, options));
  }

  async calculateSimilarity(a: string, b: string, options: SimilarityOptions = {}): Promise<number> {
    return this.#try('calculateSimilarity', { prefersModel: options.method === 'llm_semantic', signal: options.signal }, (part) =>
      part.calculateSimilarity(
        a,
        b,
        part === this.#statistical && options.method === 'llm_semantic' ? { ...options, method: 'cosine_tfidf' } : options,
      ),
    );
  }

  async detectLanguage(text: string, options: { readonly maxCandidates?: number | undefined } = {}): Promise<readonly LanguageResult[]> {
    return this.#try('detectLanguage', {}, (part) => part.detectLanguage(text, options));
  }

  async normalizeText(text: string, options: NormalizeOptions = {}): Promise<string> {
    return this.#try('normalizeText', {}, (part) => part.normalizeText(text, options));
  }

  async generateNGrams(tokens: readonly string[], options: NGramOptions) {
    return this.#try('generateNGrams', {}, (part) => part.generateNGrams(tokens, options));
  }

  async calculateReadability(text: string, options: ReadabilityOptions = {}): Promise<ReadabilityResult> {
    return this.#try('calculateReadability', {}, (part) => part.calculateReadability(text, options));
  }

  /** The statistical part reads; only where it finds nothing is the model part asked. */
  async parseJsonSafe<T = unknown>(text: string, options: ParseJsonOptions = {}): Promise<T | null> {
    let isModelAsked = this.#llm === undefined;
    const read = await this.#try('parseJsonSafe', { signal: options.signal }, (part) => {
      isModelAsked ||= part === this.#llm;
      return part.parseJsonSafe<T>(text, options);
    });
    return read === null && !isModelAsked && this.#llm ? this.#llm.parseJsonSafe<T>(text, options) : read;
  }

  /** Healthy when every part is. */
  async checkHealth() {
    const check = async (part: IUtilityAI | undefined) => {
      if (part === undefined) return undefined;
      try {
        return await part.checkHealth();
      } catch (error) {
        return { isHealthy: false, details: { error: error instanceof Error ? error.message : 'The check failed.' } };
      }
    };
    const [llm, statistical] = [await check(this.#llm), await check(this.#statistical)];
    return { isHealthy: llm?.isHealthy !== false && statistical?.isHealthy !== false, details: { llm, statistical } };
  }

  async trainModel(
    data: readonly TrainingItem[],
    type: string,
    options: { readonly modelId?: string | undefined } = {},
  ): Promise<TrainingResult> {
    const part = this.#statistical?.trainModel ? this.#statistical : this.#llm;
    if (part?.trainModel === undefined)
      return { success: false, modelId: options.modelId ?? '', message: 'No part can train. Add a statistical one.' };
    return part.trainModel(data, type, options);
  }

  async saveTrainedModel(modelId: string): Promise<Json> {
    const part = this.#statistical?.saveTrainedModel ? this.#statistical : this.#llm;
    if (part?.saveTrainedModel === undefined) throw new NotSupportedError({ what: 'Saving a model', instead: 'Add a statistical part.' });
    return part.saveTrainedModel(modelId);
  }

  async loadTrainedModel(modelId: string, model: Json): Promise<TrainingResult> {
    const part = this.#statistical?.loadTrainedModel ? this.#statistical : this.#llm;
    if (part?.loadTrainedModel === undefined) return { success: false, modelId, message: 'No part can load. Add a statistical one.' };
    return part.loadTrainedModel(modelId, model);
  }

  async shutdown(): Promise<void> {
    await Promise.all([this.#llm?.shutdown?.(), this.#statistical?.shutdown?.()]);
  }

  /** Asks the preferred part, then the other. Wrong arguments and aborts are the caller's: they end it at once. */
  async #try<T>(
    method: string,
    { prefersModel = false, signal }: { readonly prefersModel?: boolean; readonly signal?: AbortSignal | undefined },
    ask: (part: IUtilityAI) => Promise<T>,
  ): Promise<T> {
    const order = prefersModel ? [this.#llm, this.#statistical] : [this.#statistical, this.#llm];
    const [first, second] = order.filter((part) => part !== undefined);
    if (first === undefined) throw new NotSupportedError({ what: method, instead: 'Pass llm or statistical.' });
    if (second === undefined) return ask(first);
    try {
      return await ask(first);
    } catch (error) {
      signal?.throwIfAborted();
      const isCallers = isAgentosError(error)
        ? error.code === 'invalid_argument'
        : (error as { name?: unknown } | null)?.name === 'AbortError';
      if (isCallers) throw error;
      this.#onFallback?.({ method, error });
      return ask(second);
    }
  }
}
