import type { Json } from './json.js';

export interface SentimentResult {
  /** -1 to 1, or `null` when the text gives no ground for a score. */
  readonly score: number | null;
  readonly polarity: 'positive' | 'negative' | 'neutral';
  /** 0 to 1. */
  readonly intensity: number;
  /** Sum of word scores per word. */
  readonly comparative: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly positiveTokens: readonly { readonly token: string; readonly score: number }[];
  readonly negativeTokens: readonly { readonly token: string; readonly score: number }[];
  readonly neutralTokens: readonly { readonly token: string; readonly score: number }[];
}
export interface SentimentOptions {
  readonly method?: 'lexicon_based' | 'trained_classifier' | 'llm' | undefined;
  /** BCP 47; detected when absent. */
  readonly language?: string | undefined;
  readonly modelId?: string | undefined;
  readonly providerId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
export interface SummarizeOptions {
  readonly method?: 'first_n_sentences' | 'extractive' | 'abstractive_llm' | 'key_points_llm' | undefined;
  /** `short`, `medium`, `long`, a fraction up to 1, or a number of sentences above 1. Default `medium`. */
  readonly desiredLength?: 'short' | 'medium' | 'long' | number | undefined;
  readonly modelId?: string | undefined;
  readonly providerId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
export interface ClassifyOptions {
  readonly candidateClasses: readonly string[];
  readonly method?: 'keyword' | 'naive_bayes' | 'llm' | undefined;
  readonly multiLabel?: boolean | undefined;
  /** The id of a model trained with `trainModel`. */
  readonly modelId?: string | undefined;
  readonly providerId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
export interface ClassificationResult {
  readonly bestClass: string | readonly string[];
  readonly confidence: number | readonly number[];
  /** Scores that sum to 1 unless `multiLabel`. */
  readonly allScores: readonly { readonly classLabel: string; readonly score: number }[];
}
export interface KeywordOptions {
  /** Default 5. */
  readonly maxKeywords?: number | undefined;
  readonly method?: 'frequency' | 'rake' | 'llm' | undefined;
  readonly language?: string | undefined;
  readonly modelId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
export interface TokenizeOptions {
  readonly type?: 'word' | 'sentence' | undefined;
  /** Default true for words. */
  readonly toLowerCase?: boolean | undefined;
  /** Default true for words. */
  readonly removePunctuation?: boolean | undefined;
  readonly language?: string | undefined;
}
export interface StemOptions {
  readonly algorithm?: 'porter' | 'lancaster' | undefined;
  readonly language?: string | undefined;
}
export interface SimilarityOptions {
  readonly method?: 'cosine_tfidf' | 'jaccard' | 'levenshtein' | 'llm_semantic' | undefined;
  readonly stem?: boolean | undefined;
  readonly removeStopWords?: boolean | undefined;
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
export interface LanguageResult {
  /** BCP 47, or `und`. */
  readonly language: string;
  /** 0 to 1. */
  readonly confidence: number;
}
export interface NormalizeOptions {
  readonly toLowerCase?: boolean | undefined;
  readonly removePunctuation?: boolean | undefined;
  readonly expandContractions?: boolean | undefined;
  readonly removeStopWords?: boolean | undefined;
  readonly stem?: boolean | undefined;
  readonly stripHtml?: boolean | undefined;
  readonly replaceNumbersWith?: string | undefined;
  readonly language?: string | undefined;
}
export interface NGramOptions {
  readonly n: number | readonly number[];
  readonly includePartial?: boolean | undefined;
}
export interface ReadabilityOptions {
  readonly formula?: 'flesch_kincaid_reading_ease' | 'flesch_kincaid_grade_level' | undefined;
}
export interface ReadabilityResult {
  readonly score: number;
  readonly interpretation: string;
  readonly gradeLevel?: number | undefined;
}
export interface ParseJsonOptions {
  /** One repair call to a model when reading fails. Default false. */
  readonly attemptFixWithLLM?: boolean | undefined;
  readonly llmModelIdForFix?: string | undefined;
  readonly llmProviderIdForFix?: string | undefined;
  /** JSON Schema that the value must fit. */
  readonly targetSchema?: { readonly [key: string]: unknown } | undefined;
  readonly signal?: AbortSignal | undefined;
}
export interface TrainingItem {
  readonly text: string;
  readonly label: string;
}
export interface TrainingResult {
  readonly success: boolean;
  readonly modelId: string;
  readonly message?: string | undefined;
}

/**
 * The text tools of the seed. Whoever uses them asks for the one method needed, such as
 * `Pick<IUtilityAI, 'analyzeSentiment'>`. A method that an implementation cannot do throws `not_supported`.
 */
export interface IUtilityAI {
  readonly utilityId: string;
  initialize?(config?: { readonly [key: string]: Json }): Promise<void>;
  analyzeSentiment(text: string, options?: SentimentOptions): Promise<SentimentResult>;
  summarize(text: string, options?: SummarizeOptions): Promise<string>;
  classifyText(text: string, options: ClassifyOptions): Promise<ClassificationResult>;
  extractKeywords(text: string, options?: KeywordOptions): Promise<readonly string[]>;
  tokenize(text: string, options?: TokenizeOptions): Promise<readonly string[]>;
  stemTokens(tokens: readonly string[], options?: StemOptions): Promise<readonly string[]>;
  calculateSimilarity(a: string, b: string, options?: SimilarityOptions): Promise<number>;
  detectLanguage(text: string, options?: { readonly maxCandidates?: number | undefined }): Promise<readonly LanguageResult[]>;
  normalizeText(text: string, options?: NormalizeOptions): Promise<string>;
  generateNGrams(tokens: readonly string[], options: NGramOptions): Promise<{ readonly [n: number]: readonly (readonly string[])[] }>;
  calculateReadability(text: string, options?: ReadabilityOptions): Promise<ReadabilityResult>;
  /** `null` when nothing can be read. */
  parseJsonSafe<T = unknown>(text: string, options?: ParseJsonOptions): Promise<T | null>;
  checkHealth(): Promise<{ readonly isHealthy: boolean; readonly details?: { readonly [key: string]: unknown } | undefined }>;
  trainModel?(data: readonly TrainingItem[], type: string, options?: { readonly modelId?: string | undefined }): Promise<TrainingResult>;
  saveTrainedModel?(modelId: string): Promise<Json>;
  loadTrainedModel?(modelId: string, model: Json): Promise<TrainingResult>;
  shutdown?(): Promise<void>;
}
