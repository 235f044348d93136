import { readFileSync } from 'node:fs';
import { agents } from '@x/agentos';

const llm = { baseUrl: process.env.TEST_BASE_URL ?? 'https://openrouter.ai/api/v1', style: 'openai', model: 'openai/gpt-4o-mini' } as const;

// Session 1 saves a preference with the memory tool; it lands on disk.
const first = await agents.fromDir('./personas/ava').run('Please remember that I prefer dark roast coffee.', { llm });
const disk = readFileSync('./personas/ava/MEMORY.md', 'utf8') + readFileSync('./personas/ava/USER.md', 'utf8');
console.log(first.status, disk.includes('dark roast'));

// Session 2 is a fresh fromDir: the reloaded soul holds it.
const ava = agents.fromDir('./personas/ava');
console.log(agents.composeSoul('./personas/ava').soul.includes('dark roast'));
const second = await ava.run('Which coffee do I prefer?', { llm });
console.log(second.status, second.text.includes('dark roast'));
