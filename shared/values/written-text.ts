/** Where a link in a text may lead: another site, an email address, a phone number, or a path of this site. Browsers read \ as /. */
const allowedTarget = /^(https:\/\/[^/\\]|mailto:|tel:|\/(?![/\\])|#)/i
const markdownLink = /\]\(\s*([^)\s]*)/g
const htmlTag = /<[/!]?[a-z]/i

/** Why we can't show a text an owner wrote; null if we can. Texts are Markdown, never HTML. */
export function problemOfText(text: string): string | null {
  if (htmlTag.test(text)) return 'must be written without HTML'
  const targets = [...text.matchAll(markdownLink)].map(([, target = '']) => target)
  if (targets.some((target) => ['', 'https://'].includes(target))) return 'has a link without an address'
  const isAllowed = targets.every((target) => allowedTarget.test(target))
  return isAllowed ? null : 'has a link that doesn’t start with https://, mailto:, tel: or /'
}

/** What no keyboard types: it shows a text differently from what we store. */
const hidden = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

export function problemsOfTexts(value: unknown, entry: string): Record<string, string> {
  if (typeof value === 'string') {
    const problem = hidden.test(value) ? 'has hidden characters. Type it again' : problemOfText(value)
    return problem === null ? {} : { [entry]: problem }
  }
  if (typeof value !== 'object' || value === null) return {}
  return Object.assign({}, ...Object.entries(value).map(([name, part]) => problemsOfTexts(part, `${entry}.${name}`)))
}
