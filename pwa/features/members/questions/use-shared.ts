import { useEffect, useEffectEvent, useState } from 'react'
import { failureText, noRoomText, tooManyText } from '#pwa/features/questions/photos/photo-texts.ts'
import { makePhotoSmall } from '#pwa/lib/photos/small-photos.ts'
import { takeShared } from '#pwa/lib/shared-cache.ts'
import type { DraftHandle } from '#pwa/sync/questions/hooks.ts'
import { maxPhotoBytes, photoSide, photosPerMessage } from '#shared/contract/questions.ts'

const limits = { side: photoSide, bytes: maxPhotoBytes }

/**
 * What came from another app's share sheet becomes the beginning of this draft, once: its text, and as many photos as a question
 * has. Returns what's wrong with those that couldn't be taken.
 */
export function useShared({ draft, change, addPhoto }: DraftHandle, share: string | undefined): readonly string[] {
  const [problems, setProblems] = useState<readonly string[]>([])
  const addOne = async (photo: File): Promise<string | null> => {
    const small = await makePhotoSmall(photo, limits)
    if ('failure' in small) return failureText(small.failure, photo.name)
    return addPhoto(small.blob).then(
      () => null,
      () => noRoomText(photo.name),
    )
  }
  const take = useEffectEvent(async (id: string) => {
    const shared = await takeShared(id)
    if (shared === null) return
    if (shared.text !== '') change({ text: [draft?.text ?? '', shared.text].filter((text) => text !== '').join('\n') })
    const room = photosPerMessage - (draft?.photos.length ?? 0)
    const found = shared.photos.length > room ? [tooManyText(shared.photos.length - room)] : []
    for (const photo of shared.photos.slice(0, room)) {
      const problem = await addOne(photo)
      if (problem !== null) found.push(problem)
    }
    setProblems(found)
  })
  const isRead = draft !== undefined
  useEffect(() => {
    if (isRead && share !== undefined) take(share).catch(reportError)
  }, [isRead, share])
  return problems
}
