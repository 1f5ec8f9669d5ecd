import { useCallback, useEffect, useRef, useState } from 'react'
import {
  type EndReason,
  type PauseReason,
  type Recording,
  startRecording,
  type VoiceKeeper,
  type VoiceNote,
  type VoiceProblem,
} from '#pwa/lib/voice/recording.ts'
import { maxVoiceBytes, maxVoiceMs } from '#shared/contract/questions.ts'

export type RecorderState =
  | { kind: 'idle'; problem: VoiceProblem | null }
  | { kind: 'asking' }
  | { kind: 'recording'; recording: Recording }
  | { kind: 'paused'; recording: Recording; why: PauseReason }

/** The last piece ends a little after the time is up, and it may still be sent. */
const limits = { ms: maxVoiceMs - 300, bytes: maxVoiceBytes }

type Options = {
  keeper: VoiceKeeper
  /** With what was said, also where it couldn't be kept. Null if nothing was. */
  onEnd: (note: VoiceNote | null, why: EndReason, isKept: boolean) => void
}

export function useRecorder({ keeper, onEnd }: Options) {
  const [state, setState] = useState<RecorderState>({ kind: 'idle', problem: null })
  const [isUnkept, setUnkept] = useState(false)
  const current = useRef<Recording | null>(null)
  const isHere = useRef(true)
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      // What was said is kept, and is there when they come back.
      current.current?.end()
    }
  }, [])
  const start = useCallback(async () => {
    setState({ kind: 'asking' })
    setUnkept(false)
    let isKept = true
    let begun: Recording | null = null
    const show = (next: (recording: Recording) => RecorderState) => begun && isHere.current && setState(next(begun))
    const result = await startRecording(keeper, limits, {
      paused: (why) => show((recording) => ({ kind: 'paused', recording, why })),
      resumed: () => show((recording) => ({ kind: 'recording', recording })),
      unkept: () => {
        isKept = false
        if (isHere.current) setUnkept(true)
      },
      ended: (note, why) => {
        current.current = null
        if (!isHere.current) return
        setState({ kind: 'idle', problem: note === null && why !== 'discarded' ? 'empty' : null })
        ended.current(note, why, isKept)
      },
    })
    if (typeof result === 'string') {
      if (isHere.current) setState({ kind: 'idle', problem: result })
      return
    }
    begun = result
    current.current = result
    if (isHere.current) setState({ kind: 'recording', recording: result })
    else result.end()
  }, [keeper])
  return { state, isUnkept, start }
}
