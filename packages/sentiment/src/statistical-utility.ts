import type {
  ClassificationResult,
  ClassifyOptions,
  IUtilityAI,
  Json,
  KeywordOptions,
  LanguageResult,
  NGramOptions,
  NormalizeOptions,
  ParseJsonOptions,
  ReadabilityOptions,
  ReadabilityResult,
  SentimentOptions,
  SimilarityOptions,
  StemOptions,
  SummarizeOptions,
  TokenizeOptions,
  TrainingItem,
  TrainingResult,
} from '@x/core';
import { createId, InvalidArgumentError } from '@x/core';
import type { AffectReading, ContextTurn } from './affect.js';
import { detectAffect } from './detect-affect.js';
import { guessLanguages } from './detect-text-language.js';
import { normalise } from './normalise.js';
import { NotSupportedError } from './not-supported-error.js';
import { afinnSentiment } from './tools/afinn-sentiment.js';
import { classifyByWords } from './tools/classify-by-words.js';
import { extractKeywordsFrom } from './tools/extract-keywords.js';
import { nGramsOf } from './tools/n-grams.js';
import { type BayesModel, bayesScores, readBayes, trainBayes } from './tools/naive-bayes.js';
import { normaliseWords } from './tools/normalise-words.js';
import { readJson } from './tools/read-json.js';
import { readabilityOf } from './tools/readability.js';
import { splitText } from './tools/split-text.js';
import { stemWords } from './tools/stem-words.js';
import { summariseText } from './tools/summarise-text.js';
import { textSimilarity } from './tools/text-similarity.js';
import type { AffectResult } from './turn-reading.js';

/** What {@link StatisticalUtilityAI.analyzeSentiment} takes beyond the seam: the turns before, oldest first. */
export interface AffectOptions extends SentimentOptions {
  readonly context?: readonly ContextTurn[] | undefined;
}

export interface StatisticalUtilityOptions {
  readonly utilityId?: string | undefined;
  /** BCP 47; where a text tool is not told a language. Default `en`. */
  readonly defaultLanguage?: string | undefined;
}

const BAYES = 'text_classifier_naive_bayes';
const DEFAULT_MODEL = 'default_bayes_classifier';
/** Labels above this share count in a multi-label answer; the seed's figure. */
const LABEL_SHARE = 0.1;

/** The text tools of the seed, in code: no model call, no file, no network. Nothing needs to be initialised. */
export class StatisticalUtilityAI implements IUtilityAI {
  readonly utilityId: string;
  #language: string;
  readonly #models = new Map<string, BayesModel>();

  constructor({ utilityId = createId('stat-utility'), defaultLanguage = 'en' }: StatisticalUtilityOptions = {}) {
    this.utilityId = utilityId;
    this.#language = defaultLanguage;
  }

  /** Optional; takes `defaultLanguage`. */
  async initialize(config: { readonly [key: string]: Json } = {}): Promise<void> {
    if (typeof config.defaultLanguage === 'string') this.#language = config.defaultLanguage;
  }

  /**
   * Unset method: `detectAffect`. `lexicon_based`: AFINN as the seed scores. `trained_classifier`: the linear model alone,
   * loaded on first use.
   *
   * @throws {@link NotSupportedError} method `llm`.
   * @throws {@link InvalidArgumentError} another method.
   */
  async analyzeSentiment(text: string, options: AffectOptions = {}): Promise<AffectResult> {
    const { method, language } = options;
    if (method === 'lexicon_based') return afinnSentiment(text, language);
    if (method === 'trained_classifier') return withTokens((await import('./trained/index.js')).classifyAffect(text, { language }));
    if (method === 'llm')
      throw new NotSupportedError({ what: 'Sentiment by a model', instead: 'Use LLMUtilityAI, or HybridUtilityAI with one.' });
    if (method !== undefined) {
      throw new InvalidArgumentError(`method must be lexicon_based, trained_classifier or llm, got "${String(method).slice(0, 40)}"`);
    }
    return withTokens(detectAffect(text, options));
  }

  /** @throws {@link NotSupportedError} a method other than `extractive` and `first_n_sentences`. */
  async summarize(text: string, options: SummarizeOptions = {}): Promise<string> {
    return summariseText(text, options, this.#language);
  }

  async classifyText(text: string, options: ClassifyOptions): Promise<ClassificationResult> {
    const { candidateClasses, method, multiLabel = false, modelId } = options;
    if (method === 'llm') throw new NotSupportedError({ what: 'Classification by a model', instead: 'Use LLMUtilityAI.' });
    const model = method === 'keyword' ? undefined : this.#models.get(modelId ?? DEFAULT_MODEL);
    if (model !== undefined) {
      const words = await stemWords(splitText(text, { language: this.#language }), { language: this.#language });
      return answer(bayesScores(model, words, candidateClasses), multiLabel);
    }
    const scores = await classifyByWords(text, candidateClasses, this.#language);
    const sum = scores.reduce((all, { score }) => all + score, 0);
    if (sum === 0) return unsure(candidateClasses, multiLabel);
    return answer(multiLabel ? scores : scores.map(({ classLabel, score }) => ({ classLabel, score: score / sum })), multiLabel);
  }

  /** @throws {@link NotSupportedError} method `llm`. */
  async extractKeywords(text: string, options: KeywordOptions = {}): Promise<readonly string[]> {
    if (options.method === 'llm') throw new NotSupportedError({ what: 'Keywords by a model', instead: 'Use LLMUtilityAI.' });
    return extractKeywordsFrom(text, { ...options, language: options.language ?? this.#language });
  }

  async tokenize(text: string, options: TokenizeOptions = {}): Promise<readonly string[]> {
    return splitText(text, { ...options, language: options.language ?? this.#language });
  }

  async stemTokens(tokens: readonly string[], options: StemOptions = {}): Promise<readonly string[]> {
    return stemWords(tokens, { ...options, language: options.language ?? this.#language });
  }

  /** @throws {@link NotSupportedError} `llm_semantic` and other methods that it does not have. */
  async calculateSimilarity(a: string, b: string, options: SimilarityOptions = {}): Promise<number> {
    return textSimilarity(a, b, { ...options, language: options.language ?? this.#language });
  }

  /** Best first; below ten characters, and where nothing tells, the default language with a confidence of at most 0.1. */
  async detectLanguage(
    text: string,
    { maxCandidates = 3 }: { readonly maxCandidates?: number | undefined } = {},
  ): Promise<readonly LanguageResult[]> {
    const fallback = [{ language: this.#language, confidence: 0.1 }];
    const normal = normalise(text);
    const guesses = guessLanguages(text);
    const isByScript = (guesses[0]?.confidence ?? 0) >= 0.8 && guesses.length === 1;
    if (normal.trim().length < 10 && !isByScript) return fallback;
    if (guesses[0]?.language === 'und') return [{ language: 'und', confidence: 0 }];
    return guesses.slice(0, Math.max(1, maxCandidates));
  }

  async normalizeText(text: string, options: NormalizeOptions = {}): Promise<string> {
    return normaliseWords(text, { ...options, language: options.language ?? this.#language });
  }

  async generateNGrams(tokens: readonly string[], options: NGramOptions) {
    return nGramsOf(tokens, options);
  }

  async calculateReadability(text: string, options: ReadabilityOptions = {}): Promise<ReadabilityResult> {
    return readabilityOf(text, options);
  }

  /** Reads fenced, wrapped and slightly broken JSON; asks no model. */
  async parseJsonSafe<T = unknown>(text: string, { targetSchema }: ParseJsonOptions = {}): Promise<T | null> {
    return (await readJson(text, targetSchema)) as T | null;
  }

  async checkHealth() {
    return { isHealthy: true, details: { status: 'Initialized', trainedModels: [...this.#models.keys()] } };
  }

  /** Trains a classifier of words; type `text_classifier_naive_bayes`. Reports what is wrong instead of throwing, as in the seed. */
  async trainModel(
    data: readonly TrainingItem[],
    type: string,
    { modelId = DEFAULT_MODEL }: { readonly modelId?: string | undefined } = {},
  ): Promise<TrainingResult> {
    if (type !== BAYES) return { success: false, modelId, message: `There is no model type of that name. Use ${BAYES}.` };
    if (data.length === 0) return { success: false, modelId, message: 'There is nothing to train on. Pass items of text and label.' };
    const items: { words: readonly string[]; label: string }[] = [];
    for (const { text, label } of data) {
      items.push({ label, words: await stemWords(splitText(text, { language: this.#language }), { language: this.#language }) });
    }
    this.#models.set(modelId, trainBayes(items));
    return { success: true, modelId };
  }

  /** The trained model as JSON, for the host to keep; nothing is written to disk. @throws {@link InvalidArgumentError} no such model. */
  async saveTrainedModel(modelId: string): Promise<Json> {
    const model = this.#models.get(modelId);
    if (model === undefined) throw new InvalidArgumentError('There is no trained model of this id. Train it first.');
    return model;
  }

  async loadTrainedModel(modelId: string, model: Json): Promise<TrainingResult> {
    try {
      this.#models.set(modelId, readBayes(model));
      return { success: true, modelId };
    } catch (error) {
      return { success: false, modelId, message: error instanceof Error ? error.message : 'The model could not be read.' };
    }
  }

  async shutdown(): Promise<void> {
    this.#models.clear();
  }
}

function withTokens(reading: AffectReading): AffectResult {
  const positiveTokens: TokenScore[] = [];
  const negativeTokens: TokenScore[] = [];
  const neutralTokens: TokenScore[] = [];
  let sum = 0;
  let count = 0;
  for (const { kind, text, weight } of reading.evidence) {
    if (kind !== 'word' && kind !== 'phrase' && kind !== 'emoji') continue;
    sum += weight;
    count += 1;
    const list = weight > 0 ? positiveTokens : weight < 0 ? negativeTokens : neutralTokens;
    list.push({ token: text, score: weight });
  }
  return { comparative: count === 0 ? 0 : sum / count, positiveTokens, negativeTokens, neutralTokens, ...reading };
}

type TokenScore = AffectResult['positiveTokens'][number];

type Scores = readonly { readonly classLabel: string; readonly score: number }[];

function answer(allScores: Scores, multiLabel: boolean): ClassificationResult {
  const sorted = [...allScores].sort((a, b) => b.score - a.score);
  const best = sorted[0];
  if (best === undefined) return unsure([], multiLabel);
  if (!multiLabel) return { bestClass: best.classLabel, confidence: best.score, allScores: sorted };
  const chosen = sorted.filter(({ score }) => score > LABEL_SHARE);
  return { bestClass: chosen.map(({ classLabel }) => classLabel), confidence: chosen.map(({ score }) => score), allScores: sorted };
}

/** Nothing matched: the first class at a confidence of at most 0.1, `unknown` without classes; as in the seed. */
function unsure(classes: readonly string[], multiLabel: boolean): ClassificationResult {
  const allScores = classes.map((classLabel) => ({ classLabel, score: 1 / classes.length }));
  if (multiLabel) return { bestClass: [], confidence: [], allScores: classes.map((classLabel) => ({ classLabel, score: 0 })) };
  return { bestClass: classes[0] ?? 'unknown', confidence: Math.min(0.1, 1 / Math.max(1, classes.length)), allScores };
}
