import * as v from 'valibot'
import type { App } from '#api/app.ts'

/** Lowest to highest. Each may do everything the ones before may. */
export const roles = ['visitor', 'person', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

export type Row = {
  method: string
  path: string
  /** Such as `GET /api/blog/:slug`. */
  name: string
  /** The lowest that its guard lets in. */
  role: Role
  asksPassword: boolean
  /** Why an owners' act needn't ask for the password. */
  unasked: string | null
  /** What an owners' act is called in the log. Undefined if the row doesn't say. */
  audit: readonly string[] | undefined
  /** What a thread of its own reads on a large site. */
  apart: string | null
  statuses: string[]
}

const Said = v.object({
  security: v.array(v.object({ session: v.array(v.string()) })),
  'x-password': v.optional(v.string()),
  'x-audit': v.optional(v.array(v.string())),
  'x-apart': v.optional(v.string()),
})

/** What each route of the app says about itself. */
export const rowsOf = ({ routes }: Pick<App, 'routes'>): Row[] =>
  routes.map(({ method, path: spelled, hooks }) => {
    const said = v.parse(Said, hooks.detail)
    const [role = 'visitor', proof] = said.security[0]?.session ?? []
    const path = spelled.replace(/(?<=.)\/$/, '')
    return {
      method,
      path,
      name: `${method} ${path}`,
      role: v.parse(v.picklist(roles), role),
      asksPassword: proof === 'password',
      unasked: said['x-password'] ?? null,
      audit: said['x-audit'],
      apart: said['x-apart'] ?? null,
      statuses: Object.keys(hooks.response ?? {}),
    }
  })

export const isOwnersAct = ({ method, path }: Row): boolean => method !== 'GET' && path.startsWith('/api/admin/')
