/** `1 mail`, `2,000 mails`. Pass `many` if the plural isn't formed with an s. */
export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
