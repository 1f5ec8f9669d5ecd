import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { adminKey, requestListPage } from '#pwa/features/admin/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminMember } from '#shared/contract/members.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import type { AdminPlace } from './use-shortcuts.ts'

export type Command = {
  id: string
  group: 'Places' | 'Actions' | 'Members'
  label: string
  second?: string
  run: () => void
}

export type AdminAction = { label: string; also?: string; run: () => void }

export type GoTo = (place: string, search?: Record<string, string>) => void

type Parts = { typed: string; places: readonly AdminPlace[]; actions: readonly AdminAction[]; goTo: GoTo }

/** Matches places and actions straight away, and members once the server answers. */
export function useCommands({ typed, places, actions, goTo }: Parts) {
  const navigate = useNavigate()
  const words = foldText(typed).split(/\s+/).filter(Boolean)
  const isFound = ({ label, also = '' }: { label: string; also?: string | undefined }) =>
    words.every((word) => foldText(`${label} ${also}`).includes(word))
  const found = useFoundMembers(typed.trim())
  const commands: Command[] = [
    ...places.filter(isFound).map(({ name, label, key }): Command => {
      return { id: name, group: 'Places', label, run: () => goTo(name), ...(key ? { second: `g ${key}` } : {}) }
    }),
    ...actions.filter(isFound).map(({ label, run }): Command => ({ id: label, group: 'Actions', label, run })),
    ...found.members.map((member): Command => {
      const second = [member.email, member.phone].filter(Boolean).join(' · ')
      const params = { memberId: member.id }
      const run = () => void navigate({ to: '/admin/members/$memberId', params }).catch(reportError)
      return { id: member.id, group: 'Members', label: nameOrEmail(member), second, run }
    }),
  ]
  return { ...found, commands }
}

export function useGoTo(): GoTo {
  const navigate = useNavigate()
  return (place, search = {}) => {
    const at =
      place === 'members'
        ? navigate({ to: '/admin', search })
        : navigate({ to: '/admin/$place', params: { place }, search })
    at.catch(reportError)
  }
}

const shown = 8
const pauseMs = 150

function useFoundMembers(q: string) {
  const words = usePaused(q)
  const isAsked = words.length > 1
  const { data, error, isFetching } = useQuery({
    queryKey: [adminKey, 'find', words],
    queryFn: () =>
      requestListPage(AdminMember, api.api.admin.members.get({ query: { q: words, sort: 'name', limit: shown } })),
    placeholderData: (before) => before,
    enabled: isAsked,
    staleTime: 0,
  })
  return {
    members: isAsked && q.length > 1 ? (data?.rows ?? []) : [],
    hasMore: isAsked && (data?.total ?? 0) > shown,
    error: isAsked ? error : null,
    isSearching: q.length > 1 && (isFetching || words !== q),
  }
}

function usePaused(value: string) {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
