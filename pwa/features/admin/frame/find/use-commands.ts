import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Target } from '#pwa/features/admin/frame/phrase-texts.ts'
import { adminPlaces, firstTabOf, placeNames } from '#pwa/features/admin/frame/places.ts'
import type { AdminPlace, OfficeDialog } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { switchTheme } from '#pwa/features/chrome/header.tsx'
import { foldText } from '#shared/rules/fold-text.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { commandsOf } from './command-search.ts'
import { hasWords } from './found-queries.ts'
import { createPhraseFinder } from './phrase-search.ts'
import { type FoundMember, useFoundRecords } from './use-found-records.ts'
import type { GoTo } from './use-go-to.ts'

const recordGroup = 'Inbox, invitations, videos, posts, words and invoices'

export type Command = {
  id: string
  group: 'Places' | 'Actions' | 'Members' | typeof recordGroup
  label: string
  second?: string | undefined
  keys?: string | undefined
  run: () => void
  /** Find stays open and asks this next. */
  asks?: string
}

type Parts = {
  typed: string
  /** The places of this frame: the simple dashboard has five. */
  places: readonly AdminPlace[]
  open: (dialog: OfficeDialog) => void
  logout: () => void
  goTo: GoTo
  /** What Find asked for: then only people are listed. */
  asking: Target | null
  onAsk: (target: Target) => void
}

/** Matches places and actions straight away, and the server’s records once they arrive. */
export function useCommands({ typed, places, goTo, asking, ...rest }: Parts) {
  const toMember = useToMember(asking?.open)
  const run = useRuns({ goTo, ...rest })
  const known = useMemo(() => commandsOf(places), [places])
  const find = useMemo(() => createPhraseFinder(known), [known])
  const found = useFoundRecords(typed.trim(), { onlyMembers: asking !== null })
  const members = found.members.map((member): Command => {
    const second = [member.email, member.phone].filter(Boolean).join(' · ')
    return { id: member.id, group: 'Members', label: nameOrEmail(member), second, run: () => toMember(member) }
  })
  if (asking !== null) return { ...found, commands: members, isGuess: false }
  const records = found.records.map(({ id, label, second, to, search, hash }): Command => {
    return { id, group: recordGroup, label, second, run: () => goTo(to, search, hash) }
  })
  // A sentence that's on the site is most likely one they want to change.
  const isQuoted = isSentence(typed) && records.some(({ label }) => foldText(label).includes(foldText(typed)))
  const byPhrase = find(typed)
    .slice(0, typed.trim() === '' ? Number.POSITIVE_INFINITY : mostShown)
    .flatMap((id) => known.filter((one) => one.id === id))
  // Only alike or with a letter wrong: then a person of that name is who's meant.
  const isUnsure = !byPhrase.some(({ phrases }) => phrases.some((phrase) => hasWords(phrase, typed)))
  const guesses = byPhrase.map(({ target, phrases: _, ...shown }): Command => {
    const asks = target.ask === undefined ? {} : { asks: target.ask }
    return { ...shown, run: () => run(target), ...asks }
  })
  const first = isQuoted ? records : isUnsure ? members : []
  const commands = grouped([...first, ...[guesses, members, records].filter((found) => found !== first).flat()])
  const isGuess = commands.length === 0 && !found.isSearching
  const nine = placeNames.filter((name) => places.some((one) => one.name === firstTabOf(name)))
  const all = nine.map((name): Command => {
    return { id: name, group: 'Places', label: adminPlaces[name].label, run: () => goTo(firstTabOf(name)) }
  })
  return { ...found, commands: isGuess ? all : commands, isGuess }
}

/** `dialog`: which of the record’s they want it for. What a member has watched is on a page of its own. */
function useToMember(dialog: string | undefined) {
  const navigate = useNavigate()
  return ({ id }: FoundMember) => {
    const params = { memberId: id }
    const at =
      dialog === 'progress'
        ? navigate({ to: '/view-member/$memberId', params })
        : navigate({ to: '/admin/members/$memberId', params, search: { open: dialog } })
    at.catch(reportError)
  }
}

const mostShown = 8

const isSentence = (typed: string) => typed.trim().split(' ').length > 2

/** Keeps a group’s commands together, the group of the best one first. */
const grouped = (commands: readonly Command[]) =>
  [...new Set(commands.map(({ group }) => group))].flatMap((group) => commands.filter((one) => one.group === group))

function useRuns({ goTo, open, logout, onAsk }: Pick<Parts, 'goTo' | 'open' | 'logout' | 'onAsk'>) {
  const navigate = useNavigate()
  return (target: Target) => {
    if (target.to !== undefined) return goTo(target.to, target.search)
    if (target.ask !== undefined) return onAsk(target)
    if (target.act === 'theme') return switchTheme()
    if (target.act === 'logout') return logout()
    if (target.act === 'site') return void navigate({ to: '/', reloadDocument: true }).catch(reportError)
    if (target.act === 'password')
      return void navigate({ to: '/members/$place', params: { place: 'sign-in' } }).catch(reportError)
    return open(target.act === 'keys' ? 'keys' : 'view-as')
  }
}
