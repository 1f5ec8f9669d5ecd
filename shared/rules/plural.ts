/** `1 mail`, `2 mails`. `many` is the plural if it is not formed with an s. */
export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
