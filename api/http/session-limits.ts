const hour = 60 * 60
const day = 24 * hour

/** How long a login lasts: without a request, and in any case. An owner's opens the whole business. */
export const sessionLimits = (isOwner: boolean) =>
  isOwner ? { idleSeconds: 12 * hour, longestSeconds: 30 * day } : { idleSeconds: 30 * day, longestSeconds: 180 * day }

/** How often a request that uses a session is recorded: often enough for its limit, and sparing most requests a write. */
export const seenEverySeconds = hour
