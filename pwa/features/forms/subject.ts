/** What the page that led here is about: it stands in front of what is written in this field. */
export type Subject = { field: string; text: string }

/** Nothing of what is there is lost; a subject under which nothing was written yet gives way to the next. */
export function withSubject(message: string, text: string): string {
  const line = `About: ${text.replace(/\s+/g, ' ').trim()}`
  if (message.split('\n').some((other) => other.trim() === line)) return message
  const isOnlySubject = /^(About: .*)?\s*$/.test(message)
  return `${line}\n\n${isOnlySubject ? '' : message}`
}
