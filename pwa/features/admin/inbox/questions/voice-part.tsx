import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { VoiceNote } from '#pwa/lib/voice/recording.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useDevice } from './use-device.ts'
import { answerVoiceKeeper } from './voice-storage.ts'

const VoiceRecorder = lazy(() =>
  loadFile(() => import('#pwa/features/questions/recorder/voice-recorder.tsx')).then((file) => ({
    default: file.VoiceRecorder,
  })),
)

type Props = {
  questionId: string
  /** Who will hear it. */
  hearer: string
  note: VoiceNote | null
  onNote: (note: VoiceNote | null) => void
  onBusy: (isBusy: boolean) => void
}

/** The recorder is loaded when it’s asked for, or when there’s a voice note already. */
export function VoicePart({ questionId, hearer, note, onNote, onBusy }: Props) {
  const [isAskedFor, setAskedFor] = useState(false)
  const device = useDevice()
  const keeper = useMemo(() => answerVoiceKeeper(questionId), [questionId])
  if (!isAskedFor && note === null)
    return (
      <Button isSmall look="line" onClick={() => setAskedFor(true)}>
        Record a voice note
      </Button>
    )
  return (
    <Suspense fallback={<Skeleton size="line" />}>
      <Begun isAskedFor={isAskedFor}>
        <VoiceRecorder
          device={device}
          keeper={keeper}
          hearer={hearer}
          note={note && { source: note.blob, ms: note.ms }}
          onNote={onNote}
          onBusy={onBusy}
        />
      </Begun>
    </Suspense>
  )
}

/** What was pressed is gone, so the focus goes on to the recorder. */
function Begun({ isAskedFor, children }: { isAskedFor: boolean; children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAskedFor && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('[data-next]')?.focus()
  }, [isAskedFor])
  return (
    <div className="asked__recorder" ref={box}>
      {children}
    </div>
  )
}
