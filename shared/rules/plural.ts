/** `1 mail`, `2 mails`; the word for several where it takes no s. */
export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
