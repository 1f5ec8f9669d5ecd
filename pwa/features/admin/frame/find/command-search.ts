import {
  contentPhrases,
  type Phrase,
  phrases,
  type Target,
  tabPhrases,
} from '#pwa/features/admin/frame/phrase-texts.ts'
import { firstTab } from '#pwa/features/admin/frame/places.ts'
import { pageGroups } from '#pwa/features/admin/kit/content-texts.ts'
import type { AdminPlace } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { type SettingName, settingOption, siteOptions } from '#shared/contract/site-settings.ts'

/** What Find knows without asking the server. */
export type Known = {
  id: string
  group: 'Places' | 'Actions'
  label: string
  second?: string | undefined
  keys?: string | undefined
  phrases: string[]
  target: Target
}

const listOf = (also: string | undefined) => also?.split(', ') ?? []

export function commandsOf(places: readonly AdminPlace[]): Known[] {
  const isHere = (phrase: Phrase) =>
    phrase.to === undefined
      ? phrase.ask === undefined || isWhole(places)
      : places.some(({ name }) => name === phrase.to)
  return [
    ...places.map(({ name, label, within, key }): Known => {
      const keys = key && `g ${key}`
      const said = { label, second: within, keys }
      const own = [label, name, ...listOf(tabPhrases[name])]
      return { id: name, group: 'Places', ...said, phrases: own, target: { to: name } }
    }),
    ...phrases.filter(isHere).map((phrase): Known => {
      const { label, second, also } = phrase
      return { id: label, group: 'Actions', label, second, phrases: [label, ...listOf(also)], target: phrase }
    }),
    ...(isWhole(places) ? [...settings, ...content] : []),
  ]
}

const isWhole = (places: readonly AdminPlace[]) => places.some(({ name }) => name === firstTab)

/** Each setting by its name, which leads to its group. */
const settings = (Object.keys(siteOptions) as SettingName[]).map((name): Known => {
  const { label, group } = settingOption(name)
  const to =
    group === 'owners'
      ? 'owners'
      : ['seller', 'consumers', 'emails', 'partner'].includes(group)
        ? 'settings'
        : 'addresses'
  return {
    id: name,
    group: 'Actions',
    label: `Setting: ${label}`,
    phrases: [label],
    target: { to, search: { group } },
  }
})

/** Each line of Content: a page, a part of every page, an email. */
const content = pageGroups.flatMap(({ title, rows }) =>
  rows.map(({ page, part, label }): Known => {
    const id = part === undefined ? page : `${page}.${part}`
    const what = page === 'mails' ? 'email' : 'page'
    const own = [`Edit ${label}`, `${label} ${what}`, ...listOf(contentPhrases[id])]
    const search = part === undefined ? { page } : { page, part }
    return {
      id: `content:${id}`,
      group: 'Actions',
      label: `Edit ${label}`,
      second: title,
      phrases: own,
      target: { to: 'words', search },
    }
  }),
)
