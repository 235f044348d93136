import { expect, test } from 'vitest';
import { detectAffect } from './detect-affect.js';
import { detectTextLanguage } from './detect-text-language.js';

/** Twenty everyday messages of a few words a language; written before the lists of words were filled, and no word was added for one of them. */
const EVERYDAY: readonly (readonly [language: string, messages: string])[] = [
  [
    'en',
    'thanks a lot | where is my order | this is broken again | good morning everyone | can you help me | I am lost | not what I asked | see you tomorrow | never mind, fixed it | how much is it | my phone died | that makes no sense | please try again later | what time is it | sounds good to me | it still crashes | I need more coffee | wrong file, sorry | call me back | who wrote this code',
  ],
  [
    'fr',
    "merci beaucoup | ça ne marche pas | je suis perdu | où est ma commande | bonne nuit | c'est encore cassé | à demain | tu peux m'aider | rien ne s'affiche | quelle heure est-il | j'ai besoin d'aide | pas du tout | laisse tomber | je ne comprends rien | tout va bien | il manque une page | encore une erreur | on se voit lundi | mon chat est malade | très bon travail",
  ],
  [
    'es',
    'muchas gracias | no funciona | estoy perdido | dónde está mi pedido | buenas noches | otra vez roto | hasta mañana | me puedes ayudar | qué hora es | necesito ayuda | para nada | no entiendo nada | todo va bien | falta una página | sigue sin arrancar | nos vemos el lunes | mi perro está enfermo | muy buen trabajo | cuánto cuesta | se ha borrado todo',
  ],
  [
    'de',
    'vielen Dank | geht nicht | ich bin verloren | wo ist meine Bestellung | gute Nacht | schon wieder kaputt | bis morgen | kannst du mir helfen | wie spät ist es | ich brauche Hilfe | überhaupt nicht | verstehe ich nicht | alles in Ordnung | eine Seite fehlt | im Moment nichts | wir sehen uns Montag | mein Hund ist krank | sehr gute Arbeit | was kostet das | alles wurde gelöscht',
  ],
  [
    'pt',
    'muito obrigado | não funciona | estou perdido | onde está meu pedido | boa noite | quebrou de novo | até amanhã | você pode me ajudar | que horas são | preciso de ajuda | de jeito nenhum | não entendi nada | está tudo bem | falta uma página | continua sem abrir | a gente se vê segunda | meu cachorro está doente | muito bom trabalho | quanto custa isso | apagou tudo',
  ],
  [
    'it',
    "grazie mille | non funziona | mi sono perso | dov'è il mio ordine | buona notte | si è rotto di nuovo | a domani | mi puoi aiutare | che ore sono | ho bisogno di aiuto | per niente | non capisco niente | va tutto bene | manca una pagina | continua a bloccarsi | ci vediamo lunedì | il mio cane sta male | ottimo lavoro | quanto costa | ha cancellato tutto",
  ],
  [
    'nl',
    'heel erg bedankt | het werkt niet | ik ben verdwaald | waar is mijn bestelling | goede nacht | alweer kapot | tot morgen | kun je me helpen | hoe laat is het | ik heb hulp nodig | helemaal niet | ik snap er niets van | alles is goed | er ontbreekt een pagina | dank u wel | we zien elkaar maandag | mijn hond is ziek | heel goed werk | wat kost dat | alles is gewist',
  ],
  [
    'zh',
    '非常感谢 | 打不开 | 我迷路了 | 我的订单在哪 | 晚安 | 又坏了 | 明天见 | 能帮我吗 | 现在几点 | 我需要帮助 | 完全不行 | 我什么都不懂 | 一切都好 | 少了一页 | 还是启动不了 | 周一见 | 我的狗病了 | 做得很好 | 多少钱 | 全都删掉了',
  ],
  [
    'ja',
    'ありがとうございます | 動きません | 迷子になりました | 注文はどこですか | おやすみなさい | また壊れた | また明日 | 手伝ってくれる | 今何時ですか | 助けが必要です | 全然だめ | 何も分からない | 大丈夫です | ページが足りない | まだ起動しない | 月曜に会おう | 犬が病気です | よくできました | いくらですか | 全部消えた',
  ],
];

test.each(EVERYDAY)('%s: nine in ten everyday messages of a few words are read in their language', (language, list) => {
  const messages = list.split(' | ');
  const missed = (read: (text: string) => string): string[] => messages.filter((text) => read(text) !== language);
  expect(messages).toHaveLength(20);
  expect(missed((text) => detectAffect(text).language).length).toBeLessThanOrEqual(2);
  expect(missed((text) => detectTextLanguage(text).language).length).toBeLessThanOrEqual(2);
});

test.each([
  ['fr', 'merci beaucoup'],
  ['fr', 'ça ne marche pas du tout'],
  ['fr', "l'écran s'éteint"],
  ['it', "l'app si è bloccata"],
  ['es', '¡hola a todos!'],
  ['pt', 'amanhã então'],
  ['de', 'war gestern besser'],
  ['nl', 'door wie dan'],
])('%s: a frequent word, an accent or what an apostrophe cuts off tells: %s', (language, text) => {
  expect(detectTextLanguage(text).language).toBe(language);
});

test.each([
  'npm ERR! code ENOENT',
  'merge PR #123',
  'TypeError: x is undefined',
  'git rebase main',
  'kubectl apply -f',
  'door sensor offline',
  'fast path',
  'under load',
  'bin the old build',
  'plus one',
  'come on',
  'her code',
  'José fixed it',
  'Müller reviewed it',
  'Marie, please check',
  'thanks, Renée',
])('English that resembles another language, with code and names, is not taken for that: %s', (text) => {
  expect(['en', 'und']).toContain(detectAffect(text).language);
});
