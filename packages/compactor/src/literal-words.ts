const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const MONTHS = words(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ' +
    'janvier février mars avril juin juillet août septembre octobre novembre décembre',
);
export const DAYS = words(
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue wed thu fri sat ' +
    'montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo ' +
    'lundi mardi mercredi jeudi vendredi samedi dimanche tomorrow noon midnight',
);
/** Words that belong to the number before them. */
export const UNITS = words(
  '€ $ £ ¥ am pm a.m p.m a.m. p.m. % percent usd eur gbp chf jpy dollars dollar euros euro pounds bucks cents kg g mg lb lbs oz ml l km m cm mm miles mile feet ft inch inches ' +
    "kb mb gb tb ms s sec seconds min mins minutes minute h hr hrs hours hour days day weeks week months month years year o'clock people persons guests tickets nights " +
    'rooms seats pages tokens times st street avenue ave road rd lane drive blvd degrees °c °f uhr stunden tage wochen personen personas horas días jours heures personnes',
);
export const NO_NAME = words(
  "I I'm I'll I've I'd I’m I’ll I’ve I’d OK Okay Yes No Hi Hello Hey Thanks Thank Please Sorry Sure Well The This That It It's Is We You He She They And But So If What When Where Who Why How A An My Your Our Can Could Would Will Do Does Let Let's Also Then Not There Here In On At For To Of As By From With",
);
export const COUNTS = words(
  'a an one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred half few several dozen couple',
);
export const TIMES = words('second seconds minute minutes hour hours day days week weeks weekend weekends month months year years');
/** Words that number what follows. */
export const NUMBERED = words(
  'no nr number room gate flight apt suite unit order ticket invoice version chapter section page line row seat table platform bus route track step item phase',
);
