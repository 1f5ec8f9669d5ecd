import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { VoiceSource } from '#pwa/features/questions/recorder/voice-player.tsx'
import type { VoiceKeeper, VoiceNote } from '#pwa/lib/voice/recording.ts'
import { type DraftHandle, useFileAddress } from '#pwa/sync/questions/hooks.ts'

/** The voice note of a draft: what's on the phone, and what this page has recorded until that's read. */
export function useDraftVoice({ draft, startVoice, removeFile }: DraftHandle) {
  const stored = draft?.voice ?? null
  const [held, setHeld] = useState<{ note: VoiceNote; isKept: boolean } | null>(null)
  const wasStored = useRef(false)
  useEffect(() => {
    if (held === null) wasStored.current = false
    else if (stored) wasStored.current = true
    // Sent or thrown away in another tab: what's shown here wouldn't be sent.
    else if (wasStored.current && held.isKept) setHeld(null)
  }, [held, stored])
  const address = useFileAddress(stored?.id ?? '', stored !== null && held === null)
  const keeper = useMemo<VoiceKeeper>(
    () => ({
      begin: (type) => startVoice(type),
      discard: async () => {
        if (stored) await removeFile(stored.id)
      },
    }),
    [startVoice, removeFile, stored],
  )
  const note: VoiceSource | null = held
    ? { source: held.note.blob, ms: held.note.ms }
    : stored && { source: address ?? null, type: stored.type, ms: stored.durationMs }
  /** Tries again what there was no room for. Rejects while there's none, and the note is still here. */
  const keep = useCallback(async () => {
    if (held === null || held.isKept) return
    if (stored) await removeFile(stored.id)
    const { blob, ms } = held.note
    const writer = await startVoice(blob.type)
    await writer.add(blob, ms)
    await writer.finish()
    setHeld({ note: held.note, isKept: true })
  }, [held, stored, startVoice, removeFile])
  return {
    keeper,
    note,
    onNote: (made: VoiceNote | null, isKept: boolean) => setHeld(made && { note: made, isKept }),
    forget: () => setHeld(null),
    keep,
  }
}
