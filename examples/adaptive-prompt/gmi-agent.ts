import { agent } from '@x/agentos';

const support = agent({
  runtime: 'gmi',
  instructions: 'You are a support agent for a billing product.',
  cognition: { sentiment: true, metaprompts: ['frustration_recovery', 'confusion_clarification'] },
});

const talk = support.session('billing-1');
const reply = await talk.send('This is terrible, I hate it and the app is useless.');
console.log(reply.text);
console.log('events:', reply.events.map(({ eventType }) => eventType).join(', '));
await support.shutdown();
console.log('mood:', (await support.gmi('billing-1').state()).mood);
