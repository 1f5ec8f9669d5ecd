import table from './phrases.json' with { type: 'json' }

/**
 * What owners call a thing, and where it leads. `to`: a tab of a place, with its search; `ask`: a person’s record, once Find has
 * asked who, with the dialog `open`; `act`: what the frame does itself.
 */
export type Target = {
  to?: string
  search?: Record<string, string | undefined>
  ask?: string
  open?: string
  act?: string
}

export type Phrase = { label: string; second?: string; also: string } & Target

export const phrases: readonly Phrase[] = table.actions

/** Other words for a tab. Its label is found anyway. */
export const tabPhrases: Readonly<Record<string, string>> = table.tabs

/** Other words for a line of Content: a page, or a page and its part. */
export const contentPhrases: Readonly<Record<string, string>> = table.content
