import { useMemo, useState } from 'react'
import type { VoiceKeeper, VoiceNote } from '#pwa/lib/voice/recording.ts'
import type { VoiceSource } from './voice-player.tsx'

/** A voice note that's only in this page: spread `recorder` on a VoiceRecorder, and send `note`. */
export function useHeldVoice() {
  const [note, setNote] = useState<VoiceNote | null>(null)
  const keeper = useMemo<VoiceKeeper>(() => {
    const nothing = async () => {}
    return { begin: async () => ({ add: nothing, finish: nothing, discard: nothing }), discard: nothing }
  }, [])
  const shown: VoiceSource | null = note && { source: note.blob, ms: note.ms }
  return { note, clear: () => setNote(null), recorder: { keeper, note: shown, onNote: setNote } }
}
