const hour = 60 * 60
const day = 24 * hour

/** How long a login lasts, without use and in total. An owner's is shorter, because it opens the whole business. */
export const sessionLimits = (isOwner: boolean) =>
  isOwner ? { idleSeconds: 12 * hour, longestSeconds: 30 * day } : { idleSeconds: 30 * day, longestSeconds: 180 * day }
