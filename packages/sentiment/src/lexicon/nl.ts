import type { LanguageSource } from './language-source.js';

/** Dutch. */
export const NL: LanguageSource = {
  language: 'nl',
  values: `4:fantastisch,geweldig,uitstekend,schitterend,briljant,fenomenaal,grandioos,perfect,voortreffelijk,geniaal
3:super,prachtig,heerlijk,top,houd,hou,liefde,blij,gelukkig,beste,mooi,dolblij,indrukwekkend,zalig,geniet,enthousiast,dolgelukkig,vrolijk,uitgelaten,verrukt,stralend,trots,wauw,fantastische,geweldige,perfecte,feestelijk,vreugde,plezier
2:goed,goede,leuk,leuke,fijn,fijne,cool,tof,handig,bedankt,dank,dankjewel,dankuwel,grappig,slim,slimme,tevreden,lief,lieve,knap,netjes,behulpzaam,vriendelijk,gezellig,opgelucht,lekker,bravo,gefeliciteerd,haha,gaaf,vet
1:werkt,gelukt,opgelost,klopt,interessant,makkelijk,beter,oké,duidelijk,nuttig,prima
-1:fout,fouten,probleem,problemen,langzaam,traag,kapot,stuk,verkeerd,lastig,moeilijk,helaas,jammer,raar,vreemd,verwarrend,verward,onduidelijk,moe
-2:slecht,slechte,stom,stomme,dom,domme,saai,vervelend,irritant,irriteert,geïrriteerd,teleurgesteld,teleurstellend,teleurstelling,boos,kwaad,nutteloos,waardeloos,waardeloze,onbruikbaar,lelijk,verdrietig,triest,bang,onzin,zinloos,rot,rottig,onbeschoft,incompetent,leugen,leugenaar,beu,zat,gezeur,pijn,dood,belachelijk,erger,onjuist,leugens,flauwekul,kinderachtig,zwak,zwakke,ergerlijk,geërgerd,ergert,ontevreden,onvoldoende,slordig,belachelijke,nutteloze,foute
-3:verschrikkelijk,vreselijk,afschuwelijk,ramp,rampzalig,haat,walgelijk,woedend,razend,frustrerend,gefrustreerd,idioot,sukkel,klootzak,kut,klote,shit,godverdomme,verdomme,verdorie,schandalig,onacceptabel,belabberd,rotzooi,troep,ellende,ondraaglijk,furieus,laaiend,ziedend,pisnijdig,kwade,boze,vreselijke,verschrikkelijke,schande,absurd,misselijk,walgelijke`,
  phrases: {
    frustrated: `{jouw,je,dat,dit,wat een} antwoord {,is,was,slaat} {,echt,helemaal} {fout,verkeerd,slecht,nutteloos,dom,nergens op,belachelijk}|{stom,dom,slecht,nutteloos,verkeerd} antwoord|dat is {,echt,gewoon,niet} {onzin,fout,niet waar,waar,gelogen,juist}|je {hebt het mis,vergist je,liegt}|doe {,eens} {beter,je best}|mijn geduld is op|geduld verloren|buiten mezelf|slecht humeur|chagrijnig|ontplof|ik erger me|{ik ben,ben} {,het,er,dit,echt,zo,heel,behoorlijk,hier,je} {,echt,zo,helemaal,wel} {zat,beu,klaar mee,boos,kwaad,woedend,gefrustreerd,geïrriteerd,teleurgesteld,razend,pissig}|er klaar mee|klaar mee|{ik heb,heb} er genoeg van|genoeg van|het is genoeg|nu is het genoeg|{word,wordt} er {gek,moe,gestoord} van|gek van|{dit,het,dat} is {belachelijk,onacceptabel,schandalig,frustrerend,irritant,om gek van te worden}|{maakt,maak} me {gek,boos,woedend,kwaad}|op {mijn,m'n} zenuwen|tijdverspilling|zonde van {de,mijn} tijd|{alweer,weer} {kapot,stuk,fout,hetzelfde,dezelfde,mis,niet}|weer die fout|nog steeds {niet,kapot,dezelfde,hetzelfde,fout,stuk}|hoe vaak {nog,moet,heb}|{derde,vierde,vijfde,tiende,zoveelste} keer|{ik heb,heb ik} {,je,het,dat,toch} {,al,toch} {,twee keer,drie keer,eerder} gezegd|dat {vroeg,bedoelde,wilde,zei} ik niet|niet wat ik {vroeg,bedoelde,wilde,zei}|luister {je,nou,dan,eens}|meen je dit|meen je dat|{serieus,echt} ?|kom op nou|{hou,houd,stop} {,nou,eens,nu} {op,met}|we draaien in {een kringetje,rondjes,cirkels}|in rondjes|al uren|nooit meer|{ik geef het op,ik geef op}|geef het op|wat een {rotzooi,onzin,troep,ramp,ellende,grap}|heb je niets aan|niets aan|werkt nooit|maakt me niet uit|boeit me niet|pff|pfff|jezus|godsamme`,
    insult: `{je bent,jij bent,u bent} {,een,zo,echt,heel,gewoon} {,echt,zo} {dom,stom,nutteloos,waardeloos,slecht,traag,idioot,sukkel,saai,irritant,vervelend,belachelijk,onbruikbaar,verschrikkelijk}|ik haat je|{stomme,domme,rot} {bot,robot,computer}|je {kunt,weet} {,ook} niets|rot op|val dood`,
    swear: `kut|klote|shit|godverdomme|verdomme|tering|kanker|klootzak|fuck`,
    shush: `hou {je mond,op,je kop,je bek}|houd je mond|stil|wees stil|zwijg|laat me {met rust,alleen}|ga weg|rot op|mond dicht|kop dicht|hou op met praten`,
    complaint: `{geen,nog steeds geen} {antwoord,reactie}|niemand {antwoordt,helpt,reageert,neemt}|klantenservice|{uur,uren,minuten} {vertraging,wachten,gewacht}|vertraging|wacht {al,nog}|geld terug|oplichting|nooit meer|slechte {service,ervaring}|niet aan te raden|onbetrouwbaar`,
    again: `weer|alweer|opnieuw|nog een keer|nog steeds|steeds|telkens|{tweede,derde,vierde,vijfde} keer|{twee,drie,vier,vijf,tien} keer|dezelfde fout|hetzelfde probleem|elke keer|altijd`,
    failure: `fout|fouten|kapot|stuk|verkeerd|{werkt,doet,gaat,laadt,start,opent} {,het} {,nog steeds,nog} niet|doet het niet|mislukt|crasht|gecrasht|vastgelopen|loopt vast|probleem|problemen|klopt niet|niet {goed,juist,correct}`,
    confused: `{begrijp,snap,begreep,snapte,volg,vat} {,het,dit,dat,je,er,hier,ik} {,echt,nog steeds,helemaal} {niet,niets,niks,geen} {,bal,snars,meer}|niet {begrepen,gesnapt,gevolgd}|wat bedoel {je,jij,u} {,daarmee,precies}|wat betekent {dat,dit}|waar heb je het over|waar gaat dit over|geen {,flauw} idee {,wat,hoe,waar}|{ik ben,ben} {,even,helemaal,een beetje,nu} {de draad kwijt,kwijt,in de war,verward,verdwaald}|in de war|draad kwijt|de weg kwijt|verwarrend|onduidelijk|niet duidelijk|slaat nergens op|{maakt,is} geen zin|snap er {niets,niks,geen}|kan {het,je} niet volgen|{hè,huh,wat} ?|hoezo ?|wablief|gaat me boven de pet|weet niet {wat,waar,hoe}`,
    puzzled: `niet zeker|weet niet|weet het niet|misschien|raar|vreemd|echt waar ?|hmm`,
    pleased: `{ik voel me,ik ben,voel me} {,zo,heel,erg,super} {goed,geweldig,vrolijk,dolgelukkig,top,fantastisch,in de wolken}|in de wolken|wat een {mooie,geweldige,fantastische,leuke} dag|goed humeur|dolblij|kan niet gelukkiger|{het,dit,dat,alles,nu} {werkt,doet het,is gelukt,gelukt} {,nu,weer,goed,perfect,prima}|werkt {perfect,prima,goed,nu,als een trein,super}|{eindelijk,gelukt} {,!}|eindelijk|opgelost|probleem opgelost|{precies,dat is} wat ik {zocht,wilde,nodig had,bedoelde}|precies wat ik|ik {hou,houd} {van,ervan}|{ik ben,ben} {,zo,heel,erg,super} {blij,tevreden,gelukkig,opgelucht,dankbaar,enthousiast}|niet slecht|niet verkeerd|lang niet slecht|veel beter|{bevalt,vind} {,ik,me,het} {,goed,leuk,super,geweldig,mooi}|mag er wezen|ziet er {goed,mooi,super,prima} uit|daar ben ik blij mee|top !`,
    thanks: `bedankt|dank {je,u,jullie} {,wel}|dankjewel|dankuwel|dank|hartelijk dank|heel erg bedankt|veel dank|thanks|thx|merci|{waardeer,waardeert} {,ik,het,dat}`,
    praise: `{goed,knap,netjes,super,mooi,prima} {gedaan,werk,gevonden,uitgelegd,zo}|{goede,mooie,super,geweldige} {uitleg,oplossing,vraag,antwoord,idee,werk}|goed {bezig,antwoord,idee}|{je bent,jij bent} {,een,de,zo,echt,heel} {,echt,heel} {geweldig,slim,beste,top,held,super,lief,grappig,leuk,fantastisch,schat,slimme}|bravo|petje af|respect|je hebt gelijk`,
    ahead: `alvast bedankt|bij voorbaat dank|nee bedankt|nee , bedankt|nee dank je|bedankt , maar|bedankt maar|godzijdank`,
    request: `leg uit|leg|uitleggen|beschrijf|toon|laat zien|hoe|wat is|alsjeblieft|graag|kun je|kan je`,
    sarcasm: `nou lekker|lekker dan|ja hoor|bedankt voor niets|nou bedankt`,
    resolved: `{fout,probleem} {opgelost,verdwenen,weg}|is {opgelost,weg}`,
    idiom: `geen probleem|geen punt|geen zorgen|maakt niet uit|geeft niet|geen haast|rustig aan|graag gedaan|goede{morgen,middag,navond}|goedemorgen|goedenavond|goed ,|sorry|het spijt me|stop het proces|dood het proces`,
  },
  negators: 'niet geen nooit niets niks niemand zonder nauwelijks noch',
  boosters: 'heel erg zo echt super ontzettend enorm totaal helemaal verschrikkelijk te',
  dampers: 'beetje enigszins redelijk vrij bijna',
  fillers: 'heel erg zo echt gewoon even nou toch wel eens nu eigenlijk helemaal ook',
  contrasts: 'maar echter toch',
  second: 'je jij jou jouw u uw jullie bot',
  third: 'hij zij ze hem haar zijn hun baas klant klanten mensen iemand',
  requests: 'kun kan kunt zou hoe wat welke waar wanneer leg toon beschrijf voeg verwijder maak stop',
};
