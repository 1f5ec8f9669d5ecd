/* Values of columns of questions and notices. They're separate from the contracts because every terminal command loads
   the database schema. */

/** Where it was asked. `share`: from another app's share sheet. */
export const questionOrigins = ['video', 'call', 'header', 'share'] as const

export const questionAuthors = ['member', 'coach'] as const

/** `sent` until the coach has opened it. */
export const questionStates = ['sent', 'read', 'answered', 'closed', 'withdrawn'] as const

export const questionFileKinds = ['photo', 'voice'] as const

/** `aac`: a voice note's copy, which every phone plays. */
export const questionFileForms = ['served', 'aac'] as const

/** What a push may tell of. */
export const noticeKinds = ['answer', 'call', 'payment', 'video', 'commitment'] as const
