import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { ContentDraftState, type ContentPage, type ContentPageState } from '#shared/contract/admin-content.ts'
import type { Field } from '#shared/contract/text-fields.ts'
import {
  applyOverrides,
  clashesBetween,
  overridesBetween,
  toEntries,
  toOverrides,
  withValueAt,
} from '#shared/rules/overrides.ts'
import { draftQuery } from './queries.ts'

/** Drafts are stored on the device with every keystroke, and on the server after a pause. */
export type Keeping =
  | { state: 'none' | 'typing' | 'saving' }
  | { state: 'saved'; at: Date }
  | { state: 'device'; problem: string }

const pauseMs = 700

type Base = Pick<ContentPageState, 'value' | 'version'>

const Typed = v.object({
  entries: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
  version: v.string(),
})

/** Edits on this device that never reached the server; null if there are none. */
function readTyped(page: ContentPage) {
  const typed = v.safeParse(Typed, readOwnerDraft(nameOf(page)))
  return typed.success ? { entries: typed.output.entries, version: Number(typed.output.version) } : null
}

const nameOf = (page: ContentPage) => `words-${page}`

type Begun = { published: ContentPageState; stored: ContentDraftState }

/**
 * One owner’s unpublished edits of a page. If the other owner publishes in between, the edits are rebased on that. Entries
 * both have changed are in `clashes` until one side is chosen.
 */
export function usePageDraft(page: ContentPage, { published, stored }: Begun) {
  const [begun] = useState(() => readTyped(page) ?? stored.draft)
  const [base, setBase] = useState<Base>(published)
  const [value, setValue] = useState(() => applyOverrides(published.value, toOverrides(begun?.entries ?? {})))
  const [chosen, setChosen] = useState<number | null>(null)
  const [keeping, setKeeping] = useState<Keeping>(
    stored.draft === null ? { state: 'none' } : { state: 'saved', at: new Date(stored.draft.updatedAt) },
  )
  const keep = useKeeping(page, setKeeping)
  useNewBase(page, { published, base, value }, (wanted) => {
    setValue(wanted)
    setBase(published)
  })
  const entries = overridesBetween(base.value, value)
  const clashes = chosen === base.version ? [] : clashesBetween(entries, base.value, stored.changedSince)
  const settle = (wanted: unknown, version: number) => {
    setValue(wanted)
    keep(toEntries(overridesBetween(base.value, wanted)), version)
  }
  /** Keep the draft’s old version until the owner has settled the clashes, or a reload would hide them. */
  const version = clashes.length > 0 ? (stored.draft?.version ?? base.version) : base.version
  return {
    value,
    base,
    entries,
    keeping,
    clashes,
    change: (path: string, part: unknown) => settle(withValueAt(value, path, part), version),
    choose: (whose: 'mine' | 'theirs') => {
      setChosen(base.version)
      const kept = entries.filter(({ entry }) => whose === 'mine' || !clashes.some((clash) => clash.entry === entry))
      settle(applyOverrides(base.value, kept), base.version)
    },
    forget: (now: Base) => {
      removeOwnerDraft(nameOf(page))
      keep.cancel()
      setBase(now)
      setValue(now.value)
      setKeeping({ state: 'none' })
    },
  }
}

type Drafted = { published: Base; base: Base; value: unknown }

/** Rebases the edits when a newer version is published. */
function useNewBase(page: ContentPage, { published, base, value }: Drafted, onMoved: (wanted: unknown) => void) {
  const queryClient = useQueryClient()
  const move = useEffectEvent(() => {
    if (published.version <= base.version) return
    onMoved(applyOverrides(published.value, overridesBetween(base.value, value)))
    queryClient.invalidateQueries({ queryKey: draftQuery(page).queryKey }).catch(reportError)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version was published
  useEffect(() => move(), [published.version])
}

type Unsent = { entries: Record<string, unknown>; version: number }

async function putDraft(page: ContentPage, unsent: Unsent): Promise<ContentDraftState | { problem: string }> {
  try {
    return await parseResponse(ContentDraftState, api.api.admin.content({ page }).draft.put(unsent))
  } catch (error) {
    return { problem: messageOf(error instanceof Error ? error : new Error(), 'We couldn’t save it.') }
  }
}

/** Debounced saves. Only the newest edits are sent. */
function useKeeping(page: ContentPage, setKeeping: (keeping: Keeping) => void) {
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const unsent = useRef<Unsent | null>(null)
  const isSending = useRef(false)
  // One request at a time, so that older edits can’t arrive last.
  const send = async () => {
    clearTimeout(timer.current)
    const sent = unsent.current
    if (sent === null || isSending.current) return
    isSending.current = true
    setKeeping({ state: 'saving' })
    const kept = await putDraft(page, sent)
    isSending.current = false
    if ('problem' in kept) return setKeeping({ state: 'device', problem: kept.problem })
    queryClient.setQueryData(draftQuery(page).queryKey, kept)
    if (unsent.current !== sent) return send()
    unsent.current = null
    removeOwnerDraft(nameOf(page))
    setKeeping(kept.draft === null ? { state: 'none' } : { state: 'saved', at: new Date(kept.draft.updatedAt) })
  }
  useSending(send, () => {
    unsent.current = readTyped(page)
  })
  const keep = (entries: Record<string, unknown>, version: number) => {
    unsent.current = { entries, version }
    saveOwnerDraft(nameOf(page), { entries: JSON.stringify(entries), version: String(version) })
    setKeeping({ state: 'typing' })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void send(), pauseMs)
  }
  const cancel = () => {
    clearTimeout(timer.current)
    unsent.current = null
  }
  return Object.assign(keep, { cancel })
}

/** Sends what’s unsent when the page opens, when the signal returns, and when the page closes. */
function useSending(send: () => Promise<void>, begin: () => void) {
  const start = useEffectEvent(begin)
  const now = useEffectEvent(() => void send())
  useEffect(() => {
    start()
    now()
    const again = () => now()
    window.addEventListener('online', again)
    return () => {
      window.removeEventListener('online', again)
      now()
    }
  }, [])
}

export type Form = {
  /** `undefined` removes the value. */
  change: (path: string, value: unknown) => void
  /** Why an entry can’t be published, by path. */
  problems: Record<string, string>
  /** On focus, so that the iframe scrolls to the field’s text. */
  onEnter: (path: string) => void
}

export type FieldProps<Of extends Field = Field> = { field: Of; path: string; value: unknown; form: Form }

export const idOf = (path: string) => `words-${path}`

export const nameIn = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/** Content ids are lower-case letters, digits and hyphens. */
export const newId = () => `own-${crypto.randomUUID().slice(0, 8)}`
