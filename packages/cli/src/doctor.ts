import { BOOTSTRAP_ORDER, composeSoul, estimateTextTokens, readPersona, validatePersona } from '@x/agentos';

/** One thing that doctor found, and what to do about it. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'ok';
  readonly what: string;
  readonly fix?: string | undefined;
}

/** Tokens of a soul above which every request is dear. Ours. */
const LARGE_SOUL_TOKENS = 8_000;

/** Looks at a persona folder and at the keys in the environment. Writes nothing. */
export function doctor(dir: string, environment: NodeJS.ProcessEnv): readonly Finding[] {
  const findings: Finding[] = [];
  const { soul, found, problems } = composeSoul(dir);
  for (const { file, message } of problems)
    findings.push({ severity: 'error', what: `${file || dir}: ${message}`, fix: 'Correct or remove the file.' });
  if (found.length === 0)
    findings.push({
      severity: 'error',
      what: `${dir} holds none of ${BOOTSTRAP_ORDER.join(', ')}.`,
      fix: 'Run `agentos create NAME` for a folder that works.',
    });
  const tokens = estimateTextTokens(soul);
  findings.push(
    tokens > LARGE_SOUL_TOKENS
      ? {
          severity: 'warning',
          what: `The soul has about ${tokens} tokens; each first request pays for all of them.`,
          fix: 'Move procedures into tools, and let the dream tidy MEMORY.md.',
        }
      : { severity: 'ok', what: `The soul has about ${tokens} tokens in ${found.length} files.` },
  );
  findings.push(...personaFindings(dir));
  if (!environment['OPENAI_API_KEY'] && !environment['OPENAI_BASE_URL'])
    findings.push({
      severity: 'warning',
      what: 'No key is set, so the offline model answers.',
      fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint of your own.',
    });
  else findings.push({ severity: 'ok', what: 'A key or an endpoint is set.' });
  return findings;
}

function personaFindings(dir: string): readonly Finding[] {
  try {
    const { persona, problems } = readPersona(dir);
    const files = problems.map(
      ({ file, message }): Finding => ({
        severity: 'warning',
        what: `${file}: ${message}`,
        fix: 'Correct the field; until then it is left out.',
      }),
    );
    const { issues } = validatePersona(persona, { maxSystemPromptLength: 100_000 });
    const fields = issues
      .filter(({ severity }) => severity !== 'suggestion')
      .map(
        ({ severity, code, path, message }): Finding => ({
          severity: severity === 'error' ? 'error' : 'warning',
          what: `${path}: ${message} (${code})`,
          fix: 'Change this field of persona.yaml.',
        }),
      );
    return files.length + fields.length === 0
      ? [{ severity: 'ok', what: 'The adaptive part is valid, and every element can match.' }]
      : [...files, ...fields];
  } catch (error) {
    return [{ severity: 'error', what: error instanceof Error ? error.message : String(error), fix: 'Name a folder that exists.' }];
  }
}
