interface NaturalStemmer {
  stem(word: string): string;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_de.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_es.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_fr.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_it.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_nl.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_no.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_pt.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_ru.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/porter_stemmer_sv.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
declare module 'natural/lib/natural/stemmers/lancaster_stemmer.js' {
  const stemmer: NaturalStemmer;
  export default stemmer;
}
