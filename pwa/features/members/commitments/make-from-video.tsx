import { useState } from 'react'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { Commitment } from '#shared/contract/commitments.ts'
import { readMakeDraft } from './make-draft-storage.ts'
import { MakeForm } from './make-form.tsx'
import './commitments.css'

type Props = { video: NonNullable<Commitment['video']> }

/** Below a video: what they'll do about it. A draft left by an earlier page opens it again. */
export default function MakeFromVideo({ video }: Props) {
  const [isOpen, setOpen] = useState(() => readMakeDraft(video.id) !== null)
  if (useIsReadOnly()) return null
  return (
    <>
      <Button look="line" icon="list" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        I’ll do this
      </Button>
      {isOpen && (
        <div className="lesson__commit">
          <MakeForm video={video} onMade={() => setOpen(false)} />
        </div>
      )}
    </>
  )
}
