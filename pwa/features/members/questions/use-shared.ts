import { useEffect, useEffectEvent, useState } from 'react'
import { failureText, noRoomText, tooManyText } from '#pwa/features/questions/photos/photo-texts.ts'
import { makePhotoSmall } from '#pwa/lib/photos/small-photos.ts'
import { forgetShared, readShared } from '#pwa/lib/shared-cache.ts'
import type { DraftHandle } from '#pwa/sync/questions/hooks.ts'
import { maxPhotoBytes, photoSide, photosPerMessage } from '#shared/contract/questions.ts'

const limits = { side: photoSide, bytes: maxPhotoBytes }

/** Puts what came from another app's share sheet into the draft, once. */
export function useShared(share: string | undefined, { draft, change, addPhoto }: DraftHandle) {
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const tell = (problem: string) => setProblems((before) => [...before, problem])
  const take = useEffectEvent(async (id: string) => {
    const shared = await readShared(id)
    if (shared === null) return
    setBusy(true)
    try {
      // An earlier page may have been left in the middle of it.
      const kept = draft?.photos.length ?? 0
      if (shared.text !== '' && !draft?.text) change({ text: shared.text })
      const left = shared.photos.length - photosPerMessage
      if (left > 0) tell(tooManyText(left))
      for (const photo of shared.photos.slice(kept, photosPerMessage)) {
        const small = await makePhotoSmall(photo, limits)
        if ('failure' in small) tell(failureText(small.failure, photo.name))
        else await addPhoto(small.blob).catch(() => tell(noRoomText(photo.name)))
      }
      await forgetShared()
    } finally {
      setBusy(false)
    }
  })
  const isRead = draft !== undefined
  useEffect(() => {
    if (share !== undefined && isRead) take(share).catch(reportError)
  }, [share, isRead])
  return { problems, isBusy }
}
