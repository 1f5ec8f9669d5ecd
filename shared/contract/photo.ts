import * as v from 'valibot'

/** A picture's bytes, as a browser uploads a file. */
export const photoType = 'application/octet-stream'

/** The upload limit. A phone shrinks the picture before sending it. */
export const maxPhotoBytes = 2 * 1024 ** 2

/** Width and height of the stored photo, in pixels. */
export const photoSide = 256

export const ownPhotoPath = '/api/user/photo'
/** The photo's address for its own member. */
export const photoPath = (id: string) => `/api/photos/${id}`
/** The same photo's address for owners. */
export const photoPathForOwners = (path: string | null): string | null =>
  path === null ? null : path.replace('/api/photos/', '/api/admin/photos/')

export const PhotoParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })

export const MemberPhotoParams = v.object({ memberId: v.pipe(v.string(), v.maxLength(64)), ...PhotoParams.entries })
export const photoIdOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The photo's address now; null if there's none. */
export const OwnPhoto = v.object({ profileImageUrl: v.nullable(v.string()) })
export type OwnPhoto = v.InferOutput<typeof OwnPhoto>
