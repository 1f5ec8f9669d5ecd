import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { Question } from '#shared/contract/questions.ts'
import { questionQuery } from './queries.ts'
import { type VoiceSending as Note, voiceSendings } from './voice-sending-store.ts'

type Props = { question: Question; box: RefObject<HTMLElement | null> }

/** How far this device’s voice notes have come. */
export function VoiceSending({ question: { id }, box }: Props) {
  const all = useSyncExternalStore(voiceSendings.subscribe, voiceSendings.list)
  const own = all.filter(({ questionId }) => questionId === id)
  const count = own.length
  const queryClient = useQueryClient()
  const before = useRef(0)
  useEffect(() => {
    // It’s here now: the thread has it to listen to.
    if (count < before.current)
      queryClient.invalidateQueries({ queryKey: questionQuery(id).queryKey }).catch(reportError)
    before.current = count
  }, [count, id, queryClient])
  useKeptFocus(box, own.map(({ fileId, problem }) => `${fileId} ${problem}`).join())
  return own.map((note) => <One key={note.fileId} note={note} />)
}

function One({ note }: { note: Note }) {
  const { blob, sent, problem } = note
  if (problem === null)
    return (
      <p className="asked__coming" role="status">
        Sending your voice note: {Math.floor((100 * sent) / blob.size)}%. Keep this page open until it’s sent.
      </p>
    )
  return (
    <Banner
      tone="bad"
      role="alert"
      title={problem}
      action={
        <>
          <Button isSmall look="line" icon="sync" onClick={() => void voiceSendings.send(note)}>
            Send it again
          </Button>
          <Button isSmall look="bare" icon="bin" onClick={() => void voiceSendings.discard(note).catch(reportError)}>
            Throw it away
          </Button>
        </>
      }
    >
      Your answer’s been sent. Only the voice note’s still on this device.
    </Banner>
  )
}
