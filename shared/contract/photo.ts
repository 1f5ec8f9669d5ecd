import * as v from 'valibot'

/** Bytes of a picture, as in uploads of a browser's file. */
export const photoType = 'application/octet-stream'

/** The most that is taken. A phone makes the picture smaller before it sends it. */
export const maxPhotoBytes = 2 * 1024 ** 2

/** Both sides of what is kept, in pixels. */
export const photoSide = 256

export const ownPhotoPath = '/api/user/photo'
/** For whom it shows. */
export const photoPath = (id: string) => `/api/photos/${id}`
/** For owners, whose address it is of that photo. */
export const photoPathForOwners = (path: string | null): string | null =>
  path === null ? null : path.replace('/api/photos/', '/api/admin/photos/')

export const PhotoParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })

/** The photo that an owner takes away, of the member with this id. */
export const MemberPhotoParams = v.object({ memberId: v.pipe(v.string(), v.maxLength(64)), ...PhotoParams.entries })
/** Which photo is at an address. */
export const photoIdOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Where the photo is now; null where there is none. */
export const OwnPhoto = v.object({ profileImageUrl: v.nullable(v.string()) })
export type OwnPhoto = v.InferOutput<typeof OwnPhoto>
