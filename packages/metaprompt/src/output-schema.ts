import { GMIMood, type MetaPromptDefinition, parseMood, SKILL_LEVELS, TASK_COMPLEXITIES } from '@x/core';

/** A plain JSON Schema object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The field in which a preset explains what it will do next. */
export type StrategyField = 'recoveryStrategy' | 'clarificationStrategy' | 'engagementStrategy' | 'mitigationStrategy';

/** What explains a change; a change without it is the same change. */
export const EXPLANATIONS: readonly string[] = [
  'adjustmentRationale',
  'recoveryStrategy',
  'clarificationStrategy',
  'engagementStrategy',
  'mitigationStrategy',
] satisfies readonly ('adjustmentRationale' | StrategyField)[];

/** Most characters of a rationale or a strategy that are kept. */
export const RATIONALE_CHARS = 500;

export interface UpdatesSchemaOptions {
  /** Moods that the reply may name; default all of them. */
  readonly moods?: readonly string[] | undefined;
  /** Whether the reply may change the assumed skill; default true. */
  readonly skill?: boolean | undefined;
  readonly strategy?: StrategyField | undefined;
  readonly required?: readonly string[] | undefined;
}

/**
 * The JSON Schema of a reply that may change state. Its lists are made from the vocabularies themselves, so a model is
 * never offered a value that state would refuse.
 */
export function updatesSchema({
  moods = Object.values(GMIMood),
  skill = true,
  strategy,
  required = [],
}: UpdatesSchemaOptions = {}): JsonSchema {
  return {
    type: 'object',
    properties: {
      updatedGmiMood: { type: 'string', enum: [...moods] },
      ...(skill && { updatedUserSkillLevel: { type: 'string', enum: [...SKILL_LEVELS] } }),
      updatedTaskComplexity: { type: 'string', enum: [...TASK_COMPLEXITIES] },
      adjustmentRationale: { type: 'string' },
      ...(strategy !== undefined && { [strategy]: { type: 'string' } }),
      newMemoryImprints: {
        type: 'array',
        items: {
          type: 'object',
          properties: { key: { type: 'string' }, value: {}, description: { type: 'string' } },
          required: ['key', 'value'],
        },
      },
    },
    required: [...required],
  };
}

/** The same schema with fewer moods: those that a persona allows. Schemas without a list of moods stay as they are. */
export function narrowMoods(schema: JsonSchema, allowed: readonly string[] | undefined): JsonSchema {
  const properties = schema['properties'] as { readonly [name: string]: JsonSchema } | undefined;
  const listed = properties?.['updatedGmiMood']?.['enum'];
  if (allowed === undefined || !Array.isArray(listed)) return schema;
  const meant = allowed.map(parseMood);
  const moods = listed.filter((mood) => parseMood(mood) !== undefined && meant.includes(parseMood(mood)));
  const { updatedGmiMood, ...rest } = properties as { readonly [name: string]: JsonSchema };
  return { ...schema, properties: { ...(moods.length > 0 && { updatedGmiMood: { ...updatedGmiMood, enum: moods } }), ...rest } };
}

/** The schema in which each imprint names the messages it rests on. Schemas without a list of imprints stay as they are. */
export function withEvidence(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as { readonly [name: string]: JsonSchema } | undefined;
  const list = properties?.['newMemoryImprints'];
  const item = list?.['items'] as JsonSchema | undefined;
  if (!item) return schema;
  const evidence = { type: 'array', items: { type: 'string' } };
  const fields = { ...(item['properties'] as JsonSchema | undefined), evidence };
  const required = [...(Array.isArray(item['required']) ? item['required'] : []), 'evidence'];
  return { ...schema, properties: { ...properties, newMemoryImprints: { ...list, items: { ...item, properties: fields, required } } } };
}

/** What is said with {@link withEvidence}, at the end of the prompt. */
export const EVIDENCE_RULE =
  'Each imprint names in "evidence" the ids of the messages it rests on. Only messages of the role user count; what the assistant said proves nothing.';

/** What the reply has to fit: the definition's schema, else the general one, with only the moods that the persona allows. */
export function schemaFor(
  { outputSchema }: Pick<MetaPromptDefinition, 'outputSchema'>,
  { allowedMoods, imprintEvidence }: { readonly allowedMoods?: readonly string[] | undefined; readonly imprintEvidence: boolean },
): JsonSchema {
  const wanted = outputSchema && Object.keys(outputSchema).length > 0 ? outputSchema : updatesSchema();
  const narrowed = narrowMoods(wanted, allowedMoods);
  return imprintEvidence ? withEvidence(narrowed) : narrowed;
}

/** Other words for a complexity that replies use; `parseTaskComplexity` knows what they mean. */
export const COMPLEXITY_SYNONYMS: readonly string[] = ['low', 'easy', 'medium', 'high', 'hard', 'highly_complex'];

/** The schema by which a reply is read: as {@link updatesSchema} says, but the synonyms pass too. They are never offered. */
export function withSynonyms(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as { readonly [name: string]: JsonSchema } | undefined;
  const listed = properties?.['updatedTaskComplexity']?.['enum'];
  if (!Array.isArray(listed)) return schema;
  const complexity = { ...properties?.['updatedTaskComplexity'], enum: [...listed, ...COMPLEXITY_SYNONYMS] };
  return { ...schema, properties: { ...properties, updatedTaskComplexity: complexity } };
}
