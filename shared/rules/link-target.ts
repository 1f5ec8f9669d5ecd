const ownPath = /^\/(?!\/)[^\s\\]*$/

/** A path of this site, such as `/contact`. */
export const isOwnPath = (text: string) => ownPath.test(text)

/**
 * Where a link leads that an owner typed as people do: `www.example.com` and `example.com/page` mean https, an email address means
 * mailto. Null if it leads nowhere.
 */
export function linkTarget(typed: string): string | null {
  const text = typed.trim()
  if (isOwnPath(text)) return text
  if (/^(https?:\/\/|mailto:|tel:)/i.test(text))
    return /^\w+:(\/\/)?[^\s/]/.test(text) && URL.canParse(text) ? text : null
  if (/^[^\s@/:]+@[^\s@/:]+\.\w{2,}$/.test(text)) return `mailto:${text}`
  const isHost = /^([\w-]+\.)+[a-z]{2,}(:\d+)?([/?#]\S*)?$/i.test(text)
  return isHost && URL.canParse(`https://${text}`) ? `https://${text}` : null
}
