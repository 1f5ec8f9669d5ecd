import { createLive } from '#pwa/sync/hooks.ts'

// Apart from the other hooks: the members' header shows it, and those are loaded later.

const unread = createLive((store) => store.questions.where('isUnread').equals(1).count())

/** How many answers the member hasn't opened. Undefined until we've read the store. */
export const useUnreadAnswers = (): number | undefined => unread.use()
