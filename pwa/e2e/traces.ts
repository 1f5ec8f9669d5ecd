import type { Page } from '@playwright/test'
import sharp from 'sharp'

const oldName = /\balliance\b/i

/** The program's own colours, and the tints made from them, as the browser writes them. */
const oldColours = [
  ...['rgb(255, 220, 0)', 'rgb(23, 63, 158)', 'rgb(165, 189, 255)'],
  ...['rgb(255, 241, 163)', 'rgb(45, 42, 14)'],
]

export async function findTraces(page: Page): Promise<string[]> {
  const found = await page.evaluate((colours) => {
    const drawn = new Set<string>()
    const properties = [
      'color',
      'backgroundColor',
      'backgroundImage',
      'borderTopColor',
      'borderBottomColor',
      'borderLeftColor',
      'outlineColor',
      'boxShadow',
      'fill',
      'stroke',
      'textDecorationColor',
    ] as const
    for (const element of document.querySelectorAll('*'))
      for (const pseudo of [null, '::before', '::after']) {
        const style = getComputedStyle(element, pseudo)
        for (const property of properties)
          for (const colour of colours)
            if (style[property].includes(colour))
              drawn.add(
                `${element.localName}.${element.getAttribute('class') ?? ''}${pseudo ?? ''} ${property} ${colour}`,
              )
      }
    const attributes = [...document.querySelectorAll('[alt], [title], [aria-label], [content], [placeholder]')].flatMap(
      (element) =>
        ['alt', 'title', 'aria-label', 'content', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    )
    const hasMark = document.querySelector('.brand svg') !== null
    return { drawn: [...drawn], words: [document.title, document.body.textContent ?? '', ...attributes], hasMark }
  }, oldColours)
  // The sandbox's accounts and the cookies keep the program's own name.
  const words = found.words
    .map((text) =>
      text.replace(
        /\S+@alliance\.test|player\.alliance\.test|alliance_(session|device)|npx alliance|`?alliance [a-z]+`?/g,
        '',
      ),
    )
    .flatMap((text) =>
      oldName.test(text) ? [`the name in: …${text.slice(Math.max(0, text.search(oldName) - 40)).slice(0, 90)}`] : [],
    )
  return [...found.drawn, ...words, ...(found.hasMark ? ['the mark'] : [])]
}

/** Pixels of the whole page in exactly the old brand's colours, including drawings and pictures. */
export async function countOldPixels(page: Page): Promise<number> {
  const png = await page.screenshot({ fullPage: true, scale: 'css' })
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const olds = oldColours.map((colour) => colour.match(/\d+/g)?.map(Number) ?? [])
  let count = 0
  for (let at = 0; at < data.length; at += info.channels)
    if (olds.some(([red, green, blue]) => data[at] === red && data[at + 1] === green && data[at + 2] === blue))
      count += 1
  return count
}
