// The stemmers of the package natural (MIT, see NOTICE), one file each; its root would bring database drivers along.
import lancaster from 'natural/lib/natural/stemmers/lancaster_stemmer.js';
import en from 'natural/lib/natural/stemmers/porter_stemmer.js';
import de from 'natural/lib/natural/stemmers/porter_stemmer_de.js';
import es from 'natural/lib/natural/stemmers/porter_stemmer_es.js';
import fr from 'natural/lib/natural/stemmers/porter_stemmer_fr.js';
import it from 'natural/lib/natural/stemmers/porter_stemmer_it.js';
import nl from 'natural/lib/natural/stemmers/porter_stemmer_nl.js';
import no from 'natural/lib/natural/stemmers/porter_stemmer_no.js';
import pt from 'natural/lib/natural/stemmers/porter_stemmer_pt.js';
import ru from 'natural/lib/natural/stemmers/porter_stemmer_ru.js';
import sv from 'natural/lib/natural/stemmers/porter_stemmer_sv.js';

/** Porter's stemmer by language. */
export const PORTER: ReadonlyMap<string, (word: string) => string> = /* @__PURE__ */ new Map(
  Object.entries({ en, de, es, fr, it, nl, no, pt, ru, sv }).map(([language, stemmer]) => [language, (word: string) => stemmer.stem(word)]),
);
/** Lancaster's stemmer, English. */
export const lancasterStem = (word: string): string => lancaster.stem(word);
