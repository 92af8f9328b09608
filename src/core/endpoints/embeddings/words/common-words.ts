/**
 * The most frequent English words, which say little about what a text is about, in three grades; and words of grammar
 * of seven other languages.
 */

const FAINT = `
the a an of to and in is it for on with as was at by be this that are from or have has had were been am do does did s
i you he she we they me him her us them my your his its our their there here so if then than but will would can could
may might shall should must being having doing
`

const WEAK = `
what which who whom whose when where why how not no nor never into onto out up down off over under about after before
between during through against among within without because since until while although though however also too very
just only even still already yet ever again almost more most much many some any each every all both few several other
another such same own one else etc these those mine yours myself yourself himself herself itself themselves ourselves
something anything nothing everything someone anyone everyone somebody anybody nobody everybody thing things way ways
get gets got getting go goes going went gone make makes made making take takes took taken taking use used using uses
say says said saying tell told put let lets want wants need needs like really quite rather maybe perhaps please thanks
now today yesterday tomorrow soon later ago always often sometimes usually around near next toward towards upon per
via cannot monday tuesday wednesday thursday friday saturday sunday think thinks thought know knows known
`

const MILD = `
two three four five first second last new old big small large little good better best bad great high low long short
come comes came coming give gives gave given giving find finds found look looks looking keep keeps kept try tries
tried seem seems show shows work works call called start started stop become becomes became turn turns move help ask
asked feel mean means happen happened different certain sure able possible important less least enough part parts kind
sort type types lot lots bit number amount place side end back front top people person persons man men woman women
time times day days week weeks month months year years hour hours minute minutes group set state case point fact
report reports reported according officials official spokesman expected early late left right away together along
across behind above below inside outside idea example question answer problem reason
`

// German, French, Spanish, Italian, Portuguese, Dutch and Russian, without accents. None is a telling word in English.
const FAINT_ELSEWHERE = `
der das und ist nicht ein eine einen einem einer eines ich sie wir ihr ihre mich mir dich dir uns euch den dem von zu
auf im vom zum zur bei aus nach uber unter durch gegen ohne um wie wenn aber oder auch noch nur schon sehr sind wird
werden wurde wurden haben hatte kann konnen muss mussen soll sollte mein meine meinen dein sein seine unser dass weil
als denn doch mochte welche
le la les des du un une et est sont dans sur avec sous ce cette ces il elle nous vous ils elles je tu mon ma mes sa ses
leur leurs ne pas que qui quoi dont ou au aux en mais donc puis peux peut voudrais etre avoir ete suis tres quel quelle
el los las una unos unas es del al para por sobre como quien donde cuando pero muy esta este estos esto ese esa su sus
mi mis lo se ha han hay yo ella nosotros puedo quiero
gli uno di della dello dei delle degli nel nella sul sulla sulle che chi sono non piu quando questo questa mio mia suo
sua si os um uma da das na nos nas em sem nao mais muito isso ele ela eu meu minha seu
de het een ik je hij zij wij niet op te aan met voor naar uit ook nog maar zijn heeft hebben wordt dat dit deze
и в во не на я он она они мы вы что это этот эта как так все с со к ко у о об от до из за по под над для при без же бы ли
но или если когда где кто мне меня мои моя мое ваш ваша его ее их был была было были есть будет можно
`

type Grade = 'faint' | 'weak' | 'mild'

// Built when first asked for: most servers start without an embedding to make.
let gradeByWord: ReadonlyMap<string, Grade> | undefined

/** How little a lower-case word says; nothing of words that are not common. What a grade weighs is up to the features. */
export function gradeOf(word: string): Grade | undefined {
  gradeByWord ??= new Map([
    ...graded(FAINT_ELSEWHERE + FAINT, 'faint'),
    ...graded(WEAK, 'weak'),
    ...graded(MILD, 'mild'),
  ])
  return gradeByWord.get(word)
}

function graded(list: string, grade: Grade): [word: string, grade: Grade][] {
  const words = list.trim().split(/\s+/)
  return words.map((word) => [word, grade])
}
