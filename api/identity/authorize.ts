import type { Authorized } from './authorized.ts'

/** For the guards, once they've checked. */
// Safe cast: the mark exists for the compiler alone.
export const authorize = <Who>(who: Who): Authorized<Who> => who as Authorized<Who>
