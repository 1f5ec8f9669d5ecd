import { countLost } from './lost-rules.ts'

/* WordPress' marks in square brackets, which it and its plug-ins replace when a post is shown. */

/** Marks that stand for something only WordPress can make. */
const made =
  /^(gallery|playlist|contact-f(?:orm(?:-7)?|ield)|wpforms|gravityforms?|ninja_forms?|elementor-template|su_\w+|vc_\w+|et_pb_\w+|fusion_\w+)$/
/** Of those, the parts of a page builder are boxes around text that stays. */
const boxes = /^(su|vc|et_pb|fusion)_/

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

type Player = {
  /** What it's called once it's a link. */
  becomes: (host: string) => string
  /** The address of a video it names by its id alone. */
  addressOf?: (said: string) => string | null
}

const embed = (host: string) => `embed from ${host}, now a link`
const player = (name: string) => () => `${name} player, now a link`

const idIn = (said: string, id: RegExp) => id.exec(said)?.[1]

const players: Record<string, Player> = {
  youtube: {
    becomes: embed,
    addressOf: (said) => watchAddress(idIn(said, /^(?:id=)?"?([\w-]{11})"?(?![\w-])/)),
  },
  vimeo: {
    becomes: embed,
    addressOf: (said) => videoAddress('vimeo.com', idIn(said, /^(?:(?:clip_?)?id=)?"?(\d{5,})/)),
  },
  dailymotion: {
    becomes: embed,
    addressOf: (said) => videoAddress('www.dailymotion.com/video', idIn(said, /^(?:id=)?"?(\w{5,})/)),
  },
  wpvideo: { becomes: embed, addressOf: (said) => videoAddress('videopress.com/v', idIn(said, /^(\w{8})\b/)) },
  videopress: { becomes: embed, addressOf: (said) => videoAddress('videopress.com/v', idIn(said, /^(\w{8})\b/)) },
  tweet: { becomes: embed, addressOf: (said) => videoAddress('x.com/i/status', idIn(said, /^(\d{5,})/)) },
  ...Object.fromEntries(
    ['soundcloud', 'spotify', 'googlemaps', 'instagram', 'facebook', 'flickr'].map((name) => [
      name,
      { becomes: embed },
    ]),
  ),
  embed: { becomes: embed },
  audio: { becomes: player('audio') },
  video: { becomes: player('video') },
}

const watchAddress = (id: string | undefined) => (id === undefined ? null : `https://www.youtube.com/watch?v=${id}`)
const videoAddress = (host: string, id: string | undefined) => (id === undefined ? null : `https://${host}/${id}`)

/** What WordPress makes when a post is shown, such as a list of posts. It has no HTML of its own. */
const madeBlock = /<!-- wp:([a-z][\w/-]*) [^<>]*\/-->/g

/** A mark with a name, and whether it ends one. Not a Markdown link, and not WordPress' own way of writing a mark as text. */
const mark = /(?<!\[)\[(\/?)([a-z][\w-]*)(?![\w-])([^\][]*)\](?![(\]])/gi

/** `lost` is what the plan says of them. A mark that nobody knows stays as text. */
export function withoutShortcodes(given: string): { html: string; lost: string[] } {
  const [lost, marks] = [new Map<string, number>(), new Map<string, number>()]
  const count = (into: Map<string, number>, what: string) => into.set(what, (into.get(what) ?? 0) + 1)
  const linkTo = (player: Player, name: string, rest: string) => {
    const address = addressIn(rest, player)
    if (address === null) count(marks, name)
    const host = address === null ? null : URL.parse(address)?.host
    if (!host) return ''
    count(lost, player.becomes(host))
    return `\n\n<a href="${escaped(address ?? '')}">${escaped(host)}</a>\n\n`
  }
  const html = withEmbeds(withFigures(given)).replace(mark, (whole, slash: string, called: string, rest: string) => {
    const name = called.toLowerCase()
    const isEnd = slash !== ''
    const known = Object.hasOwn(players, name) ? players[name] : undefined
    if (known !== undefined) return isEnd ? '' : linkTo(known, name, rest)
    const isMade = made.test(name)
    if (!isEnd && !(isMade && boxes.test(name))) count(marks, isMade ? name : `${name}, left as text`)
    return isMade ? '' : whole
  })
  for (const [, name = ''] of given.matchAll(madeBlock))
    count(lost, name === 'block' ? 'reused block' : `${name} block`)
  const counted = [...marks].map(([name, times]) => {
    const [shown = '', remark = ''] = name.split(/(?=,)/)
    return `${times} × [${shown}]${remark}`
  })
  return { html, lost: [...countLost(lost), ...counted] }
}

/** The address stands behind `=`, a space or an attribute, with `&amp;` and typed quotes as the editor wrote them. */
function addressIn(rest: string, { addressOf }: Player): string | null {
  const said = rest.replaceAll('&amp;', '&').replace(/[“”″]|&quot;|&#8221;|&#8243;/g, '"')
  const address = /https?:\/\/[^\s"'<>|\]]+/.exec(said)?.[0]
  if (address === undefined) return addressOf?.(said.replace(/^[=\s]+/, '')) ?? null
  // WordPress.com writes a player's size as if it were the address's.
  return address.replace(/&(?:w|h|rel|start|end|hd|fs|showinfo|showsearch)=[^&]*/g, '')
}

/** An address between two marks is an embed, as one alone in a paragraph. */
const withEmbeds = (text: string) =>
  text.replace(/\[embed[^\][]*\]\s*(https?:\/\/[^\s[\]<>"]+)\s*\[\/embed\]/g, '\n\n$1\n\n')

/** A caption's picture, in a link or not, where its mark ends. */
const captioned = /\[caption[^\][]*\]\s*((?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?)/y
const captionEnd = '[/caption]'

function withFigures(text: string): string {
  const parts: string[] = []
  let [at, end] = [0, -1]
  for (let next = text.indexOf('[caption'); next >= 0; next = text.indexOf('[caption', next + 1)) {
    if (next < at) continue
    if (end < next) end = text.indexOf(captionEnd, next)
    if (end < 0) break
    captioned.lastIndex = next
    const [whole = '', picture] = captioned.exec(text) ?? []
    const begins = next + whole.length
    if (picture === undefined || begins > end) continue
    parts.push(text.slice(at, next), `<figure>${picture}<figcaption>${text.slice(begins, end)}</figcaption></figure>`)
    at = end + captionEnd.length
  }
  return parts.join('') + text.slice(at)
}
