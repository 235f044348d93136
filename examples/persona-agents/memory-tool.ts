import { readFileSync } from 'node:fs';
import { agents } from '@x/agentos';

const notes = agents.memoryTool('./personas/ava'); // add | replace | remove over MEMORY.md / USER.md
console.log(await notes.execute({ action: 'add', text: 'Likes hiking' }, {}));
console.log(await notes.execute({ action: 'replace', text: 'hiking', with: 'climbing' }, {}));
console.log(await notes.execute({ action: 'remove', text: 'nonexistent' }, {}));
console.log(await notes.execute({ action: 'add', target: 'user', text: 'Prefers dark roast' }, {}));
console.log(readFileSync('./personas/ava/MEMORY.md', 'utf8').includes('climbing'));
