import type { PhotoFailure } from '#pwa/lib/photos/small-photos.ts'
import { photosPerMessage } from '#shared/contract/questions.ts'
import { plural } from '#shared/rules/plural.ts'

/** `name` is the file's. */
export const failureText = (failure: PhotoFailure, name: string): string => `${name}: ${failures[failure]}`

const failures: Record<PhotoFailure, string> = {
  empty: 'this file’s empty. Take the photo again.',
  unknown: 'this isn’t a photo we can read. Send a JPEG or PNG.',
  heic: 'this phone can’t open it. On an iPhone, go to Settings, Camera, Formats and choose Most Compatible. Then take it again.',
  broken: 'we couldn’t open it. Take the photo again, or send a screenshot of it.',
  huge: 'it has more pixels than this phone can open. Send a smaller one.',
  slow: 'it took too long to open. Send a smaller one.',
}

export const tooManyText = (left: number): string =>
  `You can send up to ${photosPerMessage} photos. We’ve left ${plural(left, 'photo')} out.`

export const noRoomText = (name: string): string =>
  `${name}: there’s no room left on this phone. Free up some space, then add it again.`
