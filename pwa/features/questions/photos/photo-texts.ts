import type { PhotoFailure } from '#pwa/lib/photos/small-photos.ts'
import { DraftError } from '#pwa/sync/questions/draft-error.ts'
import type { DraftFault } from '#pwa/sync/questions/shapes.ts'
import { photosPerMessage } from '#shared/contract/questions.ts'
import { plural } from '#shared/rules/plural.ts'

/** `name` is the file's. */
export const failureText = (failure: PhotoFailure, name: string): string => `${name}: ${failures[failure]}`

const failures: Record<PhotoFailure, string> = {
  empty: 'this file’s empty. Take the photo again.',
  unknown: 'this isn’t a photo we can read. Take a photo, or send a screenshot of it.',
  heic: 'this phone can’t open it. On an iPhone, go to Settings, Camera, Formats and choose Most Compatible. Then take it again.',
  broken: 'we couldn’t open it. Take the photo again, or send a screenshot of it.',
  huge: 'it’s too big for this phone. Take it again at the camera’s normal size.',
  slow: 'it took too long to open. Take it again at the camera’s normal size.',
  unloaded: 'we can’t add photos on this phone yet. Open this page once while you’re online, then add it again.',
}

export const tooManyText = (left: number): string =>
  `You can send up to ${photosPerMessage} photos. We’ve left ${plural(left, 'photo')} out.`

/** Why a photo that was made small isn't in the draft. */
export const notAddedText = (error: unknown, name: string): string =>
  `${name}: ${(error instanceof DraftError && faults[error.fault]) || 'we couldn’t save it on this phone. Add it again.'}`

const faults: Partial<Record<DraftFault, string>> = {
  full: 'there’s no room left on this phone. Free up some space, then add it again.',
  'too-many': `you’ve got ${photosPerMessage} photos already. Remove one first.`,
  'too-large': 'it’s too large, even made smaller. Send a screenshot of it.',
  empty: failures.empty,
  insecure: 'photos only go over a secure connection. Open our address with https.',
}
