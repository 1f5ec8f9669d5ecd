export type ChatNumber = {
  /** As people write it here: `07700 900123`. */
  shown: string
  /** As a phone dials it from anywhere: `+447700900123`. */
  dialled: string
}

/** The phone number in a WhatsApp address, which rings without it. Null if the address has none. */
export function numberOfChat(chat: string): ChatNumber | null {
  const digits = /^https:\/\/wa\.me\/\+?(\d{8,15})(?:[/?#]|$)/.exec(chat)?.[1]
  if (digits === undefined) return null
  const dialled = `+${digits}`
  const british = /^44(\d{4})(\d{6})$/.exec(digits)
  return { shown: british ? `0${british[1]} ${british[2]}` : dialled, dialled }
}
