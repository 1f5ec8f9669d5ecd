/** `1 mail`, `2 mails`. Pass `many` if the plural isn't formed with an s. */
export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
