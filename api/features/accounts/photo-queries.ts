import { and, inArray, isNotNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { users } from '#api/db/schema/people.ts'
import { photoPathForOwners } from '#shared/contract/photo.ts'

/** The address of each person's photo, for owners, by the person's id. */
export function photosForOwners({ db }: Context, userIds: readonly string[]): ReadonlyMap<string, string> {
  const rows = db
    .select({ id: users.id, photo: users.profileImageUrl })
    .from(users)
    .where(and(inArray(users.id, [...new Set(userIds)]), isNotNull(users.profileImageUrl)))
    .all()
  return new Map(rows.map(({ id, photo }) => [id, photoPathForOwners(photo) ?? '']))
}
