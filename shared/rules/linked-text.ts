const address = /(https:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/

/** A plain text in pieces, the addresses in it apart: whatever quotes one, brackets it or ends its sentence is none of it. */
export const splitAddresses = (text: string): { text: string; isAddress: boolean }[] =>
  text
    .split(address)
    .map((part, at) => ({ text: part, isAddress: at % 2 === 1 }))
    .filter((part) => part.text !== '')
