/** What the offline model knows of one idea of programming, at two levels and from several sides. */
export interface Concept {
  readonly name: string;
  /** Other words for it, lower case; matched as whole words. */
  readonly aliases: readonly string[];
  /** For somebody new to it. */
  readonly simple: string;
  /** For somebody who knows the basics. */
  readonly deeper: string;
  readonly analogy: string;
  readonly example: string;
  /** In other words, when everything else was said. */
  readonly again: string;
  /** One small thing to do next. */
  readonly step: string;
  /** A question that shows whether it was understood. */
  readonly check: string;
  /** Names of patterns and interfaces around it. */
  readonly names: readonly string[];
}

/** The whole of its knowledge; our own words. Order decides when two match: the more special stands first. */
export const CONCEPTS: readonly Concept[] = [
  {
    name: 'base case',
    aliases: ['base cases', 'stop condition', 'stopping condition'],
    simple: 'A base case is the input that a recursive function answers straight away, without calling itself.',
    deeper: 'Every chain of recursive calls must shrink some measure, and the base case is where that measure can shrink no further.',
    analogy: 'It is the ground floor of a staircase: every step leads down to it, and there you stop.',
    example: 'In `sum(list)`, the empty list is the base case, and its sum is 0.',
    again: 'Some input is so small that you know its answer at once; that input ends the chain.',
    step: 'Write down the smallest input you can think of, and what the answer to it is.',
    check: 'Which input of your function needs no further call?',
    names: ['structural induction', 'well-founded order', 'tail call'],
  },
  {
    name: 'recursion',
    aliases: ['recursive', 'recursive function', 'recursive functions', 'calls itself', 'recurse'],
    simple: 'Recursion means that a function solves a problem by calling itself on a smaller piece of the same problem.',
    deeper: 'Each call gets its own frame on the call stack, so depth costs memory, and the results combine on the way back up.',
    analogy: 'Think of two mirrors facing each other, except that every picture is a little smaller and the last one is empty.',
    example: '`countdown(3)` prints 3 and calls `countdown(2)`, which prints 2 and calls `countdown(1)`; at 0 it just returns.',
    again: 'To tidy a pile, put away one sheet and tidy the smaller pile in the same way; with no sheet left you are done.',
    step: 'Say in one sentence what the function returns for the smallest input, and write only that line.',
    check: 'What would happen if the smallest input had no answer of its own?',
    names: ['call stack', 'memoization', 'divide and conquer', 'tail-call elimination'],
  },
  {
    name: 'callback',
    aliases: ['callbacks', 'callback function', 'higher-order function'],
    simple: 'A callback is a function that you hand to other code, so that it can be called later.',
    deeper: 'Passing behaviour as a value turns control around: the other code decides when yours runs, and errors travel by its rules.',
    analogy: 'You leave your number at a shop; they ring when the order is there.',
    example: '`button.onClick(save)` gives `save` away without running it; the click runs it.',
    again: 'You do not call it yourself: you give it away, and somebody else calls it when the time has come.',
    step: 'Find the place where your function is handed over, and check that there are no brackets after its name.',
    check: 'Who calls the function, you or the code you gave it to?',
    names: ['inversion of control', 'event loop', 'map and filter'],
  },
  {
    name: 'closure',
    aliases: ['closures'],
    simple: 'A closure is a function that remembers the variables around it from when it was made.',
    deeper: 'It captures variables, not values, so two closures over one variable see each other’s changes.',
    analogy: 'It is a traveller with a backpack: wherever it goes, what it packed at home is at hand.',
    example: '`makeCounter()` returns a function; each time you call that function, its own count goes up by one.',
    again: 'The inner function keeps using the names of the place it was born in, even after that place is left.',
    step: 'Make two counters from the same maker and print what each says after two calls.',
    check: 'Do the two counters share a number or not?',
    names: ['lexical scope', 'module pattern', 'partial application'],
  },
  {
    name: 'promise',
    aliases: ['promises', 'async', 'await', 'asynchronous', 'async/await', 'future'],
    simple: 'A promise stands for a result that is not there yet; `await` pauses your function until it is.',
    deeper:
      'Awaiting hands the thread back to the event loop, so other work goes on, and a rejected promise becomes an exception at the await.',
    analogy: 'It is the ticket from a dry cleaner: not the coat, but a way to get it when it is ready.',
    example: '`const user = await load(7)` waits for the answer; without `await`, `user` would be the ticket and not the person.',
    again: 'The answer comes later, so the program gets a stand-in at once and waits only where it needs the answer.',
    step: 'Look for one call whose result you use at once, and put `await` in front of it.',
    check: 'What does the variable hold when the `await` is missing?',
    names: ['Promise.all', 'event loop', 'AbortController'],
  },
  {
    name: 'exception',
    aliases: [
      'exceptions',
      'try',
      'catch',
      'try/catch',
      'throw',
      'stack trace',
      'stacktrace',
      'traceback',
      'null pointer',
      'undefined is not',
      'nullpointerexception',
    ],
    simple: 'An exception is the program’s way to stop what it does and report that something went wrong.',
    deeper: 'It unwinds the call stack to the nearest handler, so catch where you can act, and keep the cause when you wrap it.',
    analogy: 'It is a fire alarm: work stops, and the alarm goes up floor by floor until somebody is in charge.',
    example: 'Reading a missing file throws; the trace names the file and the line that asked for it.',
    again: 'Something could not be done, so the program jumps out of its normal course and looks for somebody who can deal with it.',
    step: 'Read the first line of the message and the first line of the trace that names a file of yours.',
    check: 'Which line of your own code stands highest in the trace?',
    names: ['error boundary', 'cause chain', 'finally'],
  },
  {
    name: 'debugging',
    aliases: [
      'debug',
      'bug',
      'bugs',
      'error',
      'errors',
      'crash',
      'crashes',
      'broken',
      'fails',
      'failing',
      "doesn't work",
      'does not work',
      "isn't working",
      'not working',
      "won't run",
      'breakpoint',
    ],
    simple: 'Debugging means finding the first moment at which the program does something other than you think.',
    deeper:
      'Halve the distance: check a value in the middle, keep the half that is wrong, and repeat; git bisect does the same with history.',
    analogy: 'It is like looking for a leak: follow the water upward until the wall is dry.',
    example: 'The total is wrong, so print it after each item; the first wrong number shows the guilty line.',
    again: 'Two pictures of the program disagree, yours and the machine’s; look for the first line where they part.',
    step: 'Write down what you expected and what you saw, and print the one value that decides between them.',
    check: 'What is the last point at which everything was still right?',
    names: ['breakpoint', 'git bisect', 'minimal reproduction', 'logging'],
  },
  {
    name: 'loop',
    aliases: ['loops', 'for loop', 'while loop', 'for loops', 'while loops', 'iteration', 'iterate', 'infinite loop', 'off by one'],
    simple: 'A loop runs the same lines again and again, until its condition says stop.',
    deeper: 'Name what holds before and after every round, the invariant; most off-by-one errors are an invariant that was never said.',
    analogy: 'It is a track: you run another lap as long as the coach has not raised the flag.',
    example: '`for (const name of names) print(name)` runs once per name, in order.',
    again: 'Do this, look at the condition, do it again: that is all a loop is.',
    step: 'Write on paper what the variable holds in the first round, the second, and the last.',
    check: 'How often does your loop run when the list is empty?',
    names: ['iterator', 'invariant', 'generator'],
  },
  {
    name: 'condition',
    aliases: ['conditions', 'if statement', 'if statements', 'if/else', 'else', 'boolean', 'booleans', 'conditional'],
    simple: 'A condition is a question with the answer true or false, and `if` runs its lines only when it is true.',
    deeper: 'Guard clauses keep the nesting flat, and De Morgan’s laws turn a tangled negation around.',
    analogy: 'It is a fork in the road with a sign: read the sign, take one way, and never both.',
    example: '`if (age >= 18) open()` opens for 18 and 40, and does nothing for 17.',
    again: 'The program looks at one fact and then takes one of two ways.',
    step: 'Say the condition aloud as a yes-or-no question, and try it with one value on each side.',
    check: 'What happens at exactly the border value?',
    names: ['guard clause', 'short-circuit evaluation', 'switch'],
  },
  {
    name: 'parameter',
    aliases: ['parameters', 'argument', 'arguments'],
    simple: 'A parameter is the name a function gives to what it receives; the argument is the value you pass in.',
    deeper: 'Whether a change inside is seen outside depends on what is passed: a value, or a reference to something shared.',
    analogy: 'The parameter is the slot of a vending machine, and the argument is the coin.',
    example: 'In `greet(name)` the parameter is `name`; in `greet("Ada")` the argument is "Ada".',
    again: 'Inside the function the thing has a name of its own; outside you decide each time what it is.',
    step: 'Call the function with two different arguments and watch which lines change their outcome.',
    check: 'Where is the name known, inside the function or everywhere?',
    names: ['default argument', 'rest parameter', 'pass by reference'],
  },
  {
    name: 'return value',
    aliases: ['return', 'returns', 'return values', 'return statement'],
    simple: 'The return value is what a function hands back to the place that called it.',
    deeper: 'A function that returns without side effects can be tested and composed; one that only prints cannot.',
    analogy: 'You send somebody for bread; what they bring back is the return value, and their walk is the function.',
    example: '`const total = add(2, 3)` puts 5 into `total`, because `add` returns 5.',
    again: 'A function may answer; what it answers stands where you called it.',
    step: 'Replace one `print` inside the function by `return`, and print at the place where you call it.',
    check: 'What does the caller get when nothing is returned?',
    names: ['pure function', 'early return', 'Result type'],
  },
  {
    name: 'function',
    aliases: ['functions', 'method', 'methods', 'procedure', 'subroutine'],
    simple: 'A function is a named piece of code: you write it once, and run it whenever you say its name.',
    deeper: 'It sets a boundary: inputs come in as parameters, one result goes out, and the rest of the program need not know how.',
    analogy: 'It is a recipe: the name is on the card, the ingredients go in, and a dish comes out.',
    example: '`function double(n) { return n * 2 }` doubles a number; `double(4)` gives 8.',
    again: 'You teach the computer one trick under a name, and from then on the name is enough.',
    step: 'Write a function of one line that adds 1 to what it gets, and call it twice.',
    check: 'What goes in, and what comes out?',
    names: ['pure function', 'single responsibility', 'arrow function'],
  },
  {
    name: 'scope',
    aliases: ['scopes', 'global variable', 'local variable', 'let and var', 'not defined', 'undefined variable'],
    simple: 'Scope is the part of a program in which a name is known.',
    deeper: 'Names are looked up from the inside out, and an inner name hides an outer one of the same spelling.',
    analogy: 'Inside a family everybody knows who “Grandma” is; next door the same word means somebody else.',
    example: 'A variable made inside a function cannot be read after it: outside, the name is unknown.',
    again: 'A name lives inside its braces; outside of them nobody has heard of it.',
    step: 'Find the line that makes the variable, and see which pair of braces is around it.',
    check: 'Is the line that uses the name inside those braces?',
    names: ['lexical scope', 'shadowing', 'block scope'],
  },
  {
    name: 'variable',
    aliases: ['variables', 'assignment', 'constant', 'constants'],
    simple: 'A variable is a name for a value, so that you can use the value again without writing it out.',
    deeper: 'The name binds to a value or a reference; two names for one list see each other’s changes, a copy does not.',
    analogy: 'It is a label on a jar: the label stays, and what is inside may be replaced.',
    example: '`let score = 0` makes the name; `score = score + 5` puts 5 in its place.',
    again: 'You give a value a name today, and ask for it by that name tomorrow.',
    step: 'Make one variable, change it once, and print it before and after.',
    check: 'What does it hold after the second line?',
    names: ['binding', 'mutability', 'const'],
  },
  {
    name: 'array',
    aliases: ['arrays', 'list', 'lists', 'index', 'indices', 'out of bounds', 'index out of range'],
    simple: 'An array keeps values in a row, and each has a number, which starts at 0.',
    deeper: 'Access by index is constant time and inserting in the middle is linear; a set or a map wins when you search by value.',
    analogy: 'It is a row of lockers: the number tells you which door, not what is behind it.',
    example: 'In `["a", "b", "c"]` the item with the number 1 is "b", and there is none with the number 3.',
    again: 'Many values, one name, and a number to say which one you mean.',
    step: 'Print the first item, the last item, and the length of your array.',
    check: 'Which number does the last of five items have?',
    names: ['map, filter, reduce', 'slice', 'hash set'],
  },
  {
    name: 'object',
    aliases: ['objects', 'dictionary', 'dictionaries', 'hash map', 'hashmap', 'map', 'key', 'keys', 'property', 'properties', 'json'],
    simple: 'An object keeps values under names, so that what belongs together stays together.',
    deeper: 'Lookup by key is constant time on average, equality is by identity, and a spread copies one level only.',
    analogy: 'It is an index card with a few labelled lines about one thing.',
    example: '`{ name: "Ada", age: 36 }` has two entries; `person.name` reads the first.',
    again: 'Several facts about one thing, each under a word of its own.',
    step: 'Write one object about a book, with three entries, and print one of them.',
    check: 'What do you get when you ask for an entry that is not there?',
    names: ['Map', 'destructuring', 'structuredClone'],
  },
  {
    name: 'class',
    aliases: ['classes', 'inheritance', 'instance', 'instances', 'constructor', 'object-oriented', 'oop'],
    simple: 'A class is a plan, and each object made from it has the same kind of data and can do the same things.',
    deeper: 'Prefer composition over inheritance: a subclass must be usable wherever its parent is, or the hierarchy lies.',
    analogy: 'It is a cookie cutter; the cookies are the instances, and each may get its own icing.',
    example: '`new Account("Ada")` makes one account; `new Account("Grace")` makes another with its own balance.',
    again: 'You describe once what such things have and do, and then make as many of them as you like.',
    step: 'Name two things that all your objects have, and one thing that they can do.',
    check: 'Which data differs from object to object?',
    names: ['Liskov substitution', 'composition', 'factory method'],
  },
  {
    name: 'type',
    aliases: [
      'types',
      'type checking',
      'type checker',
      'typescript',
      'type error',
      'typeerror',
      'generic',
      'generics',
      'interface',
      'interfaces',
    ],
    simple: 'A type says what kind of value a name may hold, such as a number or a text.',
    deeper: 'Unions with a tag make wrong states impossible to write, and `unknown` forces a check where `any` hides one.',
    analogy: 'It is the shape of a plug: what does not fit is noticed before the power is on.',
    example: '`"2" + 2` gives "22" in JavaScript, because one side is text; with types the checker asks you first.',
    again: 'It is a promise about a value that the machine can check before anything runs.',
    step: 'Hover over the name in your editor and compare its type with what you believe it holds.',
    check: 'Which of the two values is text?',
    names: ['discriminated union', 'unknown', 'Standard Schema'],
  },
  {
    name: 'complexity',
    aliases: ['big o', 'big-o', 'o(n)', 'time complexity', 'performance', 'too slow', 'slow code'],
    simple: 'Complexity tells how much more work a program has when its input grows.',
    deeper: 'Count how often the innermost line runs as a function of n, and remember that constants and cache misses decide small cases.',
    analogy: 'Finding a name in a sorted phone book is quick even when the book doubles; reading every page is not.',
    example: 'Two loops inside each other over 1,000 items run the inner line a million times.',
    again: 'Do not count seconds; ask what happens to the work when the input gets ten times as big.',
    step: 'Find the innermost line and count how often it runs for 10 items and for 20.',
    check: 'Does doubling the input double the work, or more?',
    names: ['binary search', 'amortised cost', 'profiler'],
  },
  {
    name: 'version control',
    aliases: ['git', 'commit', 'merge conflict', 'rebase', 'branch', 'branches', 'pull request'],
    simple: 'Version control keeps every saved state of your files, so that you can go back and work side by side.',
    deeper: 'A commit is a snapshot with a parent, a branch is a moving name for one, and a merge has two parents.',
    analogy: 'It is a diary of the project in which every page can be opened again.',
    example: '`git switch -c try-it` starts a side line; the main line stays as it was.',
    again: 'You save with a note, and later you can see who changed what, and take it back.',
    step: 'Run `git status` and read what it proposes before anything else.',
    check: 'Which file shows up as changed?',
    names: ['three-way merge', 'reflog', 'cherry-pick'],
  },
  {
    name: 'test',
    aliases: ['tests', 'unit test', 'unit tests', 'testing', 'refactoring', 'refactor', 'assert', 'assertion', 'mock'],
    simple: 'A test is a small program that runs a piece of yours and checks that the answer is the expected one.',
    deeper: 'Test behaviour at a seam you control, keep time and chance as inputs, and see each test fail once.',
    analogy: 'It is the spirit level of a carpenter: quick to lay on, and honest.',
    example: '`expect(add(2, 3)).toBe(5)` is a whole test; it fails the day somebody breaks `add`.',
    again: 'You write down what should come out, and the machine compares it each time.',
    step: 'Take the last bug you mended and write the three lines that would have caught it.',
    check: 'Did you see the test fail before it passed?',
    names: ['property-based testing', 'fixture', 'arrange-act-assert'],
  },
];

/**
 * The idea that a text names; `undefined` when it names none. Code and quoted lines do not count. The first sentence
 * that names one decides; in it the longest name wins, and trouble in general gives way to the thing that is in trouble.
 */
export function conceptIn(text: string): Concept | undefined {
  const plain = text.replace(/```[\s\S]*?```|`[^`\n]*`|^>.*$/gm, ' ');
  for (const sentence of plain.split(/(?<=[.!?])\s+|\n/)) {
    const flat = ` ${sentence
      .toLowerCase()
      .replace(/’/g, "'")
      .replace(/[^\p{L}\p{N}/'() -]+/gu, ' ')
      .replace(/\s+/g, ' ')} `;
    const found = CONCEPTS.map((concept) => {
      const lengths = [concept.name, ...concept.aliases].filter((word) => flat.includes(` ${word} `)).map((word) => word.length);
      return { concept, length: concept.name === 'debugging' && lengths.length > 0 ? 1 : Math.max(0, ...lengths) };
    }).sort((a, b) => b.length - a.length)[0];
    if (found && found.length > 0) return found.concept;
  }
  return undefined;
}
