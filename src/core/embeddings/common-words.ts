/** The most frequent English words, which say little about what a text is about, in three grades. */

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

/** How little a word says, by word: what a grade weighs is up to the features. Lower case. */
export const COMMON_WORDS: ReadonlyMap<string, 'faint' | 'weak' | 'mild'> = new Map([
  ...words(FAINT).map((word) => [word, 'faint'] as const),
  ...words(WEAK).map((word) => [word, 'weak'] as const),
  ...words(MILD).map((word) => [word, 'mild'] as const),
])

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}
