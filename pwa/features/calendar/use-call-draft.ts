import { useRef, useState } from 'react'
import { readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import type { CallKind } from '#shared/contract/call-kind.ts'
import type { CallSlot } from '#shared/contract/call-slot.ts'

export type TypedCall = Readonly<Record<string, string>>
type Draft = { chosen: CallSlot | null; typed: TypedCall }

/**
 * What's chosen and typed, kept on this device for 48 hours. A booking without signal isn't lost, but we don't promise it either.
 */
export function useCallDraft(kind: CallKind) {
  const name = `call-${kind}`
  const [initial] = useState(() => parseDraft(readDraft(name)))
  const [chosen, setChosen] = useState(initial.chosen)
  const typed = useRef(initial.typed)
  const key = useRef({ sent: '', id: newKey() })
  const save = (draft: Draft) => saveDraft(name, draft)
  return {
    initial: initial.typed,
    chosen,
    choose: (slot: CallSlot | null) => {
      setChosen(slot)
      save({ chosen: slot, typed: typed.current })
    },
    type: (values: TypedCall) => {
      typed.current = values
      save({ chosen, typed: values })
    },
    /** The same request reuses its idempotency key; a different one gets its own. */
    keyFor: (request: object): string => {
      const sent = JSON.stringify(request)
      if (key.current.sent !== sent) key.current = { sent, id: newKey() }
      return key.current.id
    },
    forget: () => removeDraft(name),
  }
}

function parseDraft(value: unknown): Draft {
  if (typeof value !== 'object' || value === null) return { chosen: null, typed: {} }
  const { chosen, typed } = { chosen: null, typed: {}, ...value } as { chosen: unknown; typed: unknown }
  return { chosen: isSlot(chosen) ? chosen : null, typed: isTyped(typed) ? typed : {} }
}

const isSlot = (value: unknown): value is CallSlot =>
  typeof value === 'object' &&
  value !== null &&
  'coach' in value &&
  typeof value.coach === 'string' &&
  'startsAt' in value &&
  typeof value.startsAt === 'string'

const isTyped = (value: unknown): value is TypedCall =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
