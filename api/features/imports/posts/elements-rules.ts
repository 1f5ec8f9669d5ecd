const words = (text: string) => new Set(text.split(' '))

export const holdsText = words('p h1 h2 h3 h4 h5 h6 li td th figcaption pre caption blockquote')
export const blocks = words(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote figure figcaption pre table caption thead tbody tfoot tr td th hr',
)
/** They divide text, and a post has none of them. */
export const boxes = words(
  'div section article header footer main aside nav address details summary dl dt dd center fieldset body html picture',
)
export const inline = words('strong em b i code br a img')
export const renamed: Record<string, string> = { h1: 'h2', h5: 'h4', h6: 'h4' }
export const withoutEnd = words('br hr img')

/** Removed with what's in them. An element that has a name here would be missed, so the plan says it. */
export const removed: Record<string, string | null> = {
  script: 'script',
  form: 'form',
  applet: 'embed',
  ...Object.fromEntries(
    'style template noscript noembed noframes svg math title head textarea select option button canvas xmp plaintext input'
      .split(' ')
      .map((name) => [name, null]),
  ),
}

/** Ghost draws these with its own scripts. What's left of one here is a link with its title. */
export const cards: Record<string, string | null> = {
  'kg-bookmark-card': null,
  'kg-audio-card': 'audio player, now a link',
  'kg-video-card': 'video player, now a link',
  'kg-file-card': 'download, now a link',
  'kg-signup-card': 'sign-up form',
}
