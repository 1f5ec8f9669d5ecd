const address = /(https:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/

/** Splits a plain text into addresses and the rest. Quotes, brackets and full stops around an address aren't part of it. */
export const splitAddresses = (text: string): { text: string; isAddress: boolean }[] =>
  text
    .split(address)
    .map((part, at) => ({ text: part, isAddress: at % 2 === 1 }))
    .filter((part) => part.text !== '')
