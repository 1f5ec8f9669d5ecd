import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { Question } from '#shared/contract/questions.ts'
import { questionQuery } from './queries.ts'
import { voiceSendings } from './voice-sending-store.ts'

/** How far this device’s voice note has come. */
export function VoiceSending({ question: { id } }: { question: Question }) {
  const all = useSyncExternalStore(voiceSendings.subscribe, voiceSendings.list)
  const own = all.find(({ questionId }) => questionId === id)
  const isOver = own === undefined
  const queryClient = useQueryClient()
  const wasSending = useRef(false)
  useEffect(() => {
    // It’s here now: the thread has it to listen to.
    if (isOver && wasSending.current)
      queryClient.invalidateQueries({ queryKey: questionQuery(id).queryKey }).catch(reportError)
    wasSending.current = !isOver
  }, [isOver, id, queryClient])
  if (own === undefined) return null
  const { bytes, sent, problem } = own
  return problem === null ? (
    <p className="asked__coming" role="status">
      Sending your voice note: {Math.floor((100 * sent) / bytes)}%. Keep this page open until it’s sent.
    </p>
  ) : (
    <Banner
      tone="bad"
      role="alert"
      title={problem}
      action={
        <Button isSmall look="line" icon="sync" onClick={() => void voiceSendings.resume().catch(reportError)}>
          Send it again
        </Button>
      }
    >
      Your answer’s been sent. Only the voice note’s still on this device.
    </Banner>
  )
}
