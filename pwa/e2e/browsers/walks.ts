import { adminPaths } from '../admin-steps.ts'
import { memberPaths } from '../members-steps.ts'
import { publicPaths, waysIn } from '../public-pages.ts'

type Walk = { email?: string; paths: readonly string[] }

/** Every page, by who sees it. */
export const walks: Record<string, Walk> = {
  visitor: { paths: [...publicPaths, ...waysIn] },
  member: { email: 'xl@alliance.test', paths: memberPaths },
  owner: { email: 'owner@alliance.test', paths: adminPaths },
}
