import { expect, test } from 'vitest'

const html = 'http://www.w3.org/1999/xhtml'
const svg = 'http://www.w3.org/2000/svg'
const names = [
  ...[
    'a',
    'article',
    'b',
    'button',
    'col',
    'dd',
    'details',
    'dialog',
    'div',
    'dl',
    'fieldset',
    'form',
    'h1',
    'h6',
    'hr',
  ],
  ...[
    'iframe',
    'img',
    'input',
    'label',
    'legend',
    'li',
    'main',
    'meter',
    'nav',
    'noscript',
    'ol',
    'optgroup',
    'option',
  ],
  ...[
    'output',
    'p',
    'pre',
    'progress',
    'script',
    'section',
    'select',
    'slot',
    'span',
    'summary',
    'table',
    'tbody',
    'td',
  ],
  ...['template', 'textarea', 'th', 'thead', 'title', 'tr', 'ul', 'video', 'x-unknown'],
]
const states: Record<string, string>[] = [
  {},
  { hidden: '' },
  { hidden: 'until-found' },
  { open: '' },
  { popover: '' },
  { type: 'hidden' },
  { type: 'checkbox', role: 'switch' },
  { style: 'display: none' },
  { style: 'display: flex' },
  { style: 'visibility: hidden' },
  { style: 'float: left; color: red' },
  { dir: 'rtl', class: 'part', 'aria-hidden': 'true' },
]

function made(namespace: string, name: string, attributes: Record<string, string>, ...children: Element[]): Element {
  const element = document.createElementNS(namespace, name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children)
  return element
}

/** Elements of each name, and some in each state with parts inside of them. */
function fillPage(): Element[] {
  const inside = () => [
    made(html, 'summary', {}),
    made(html, 'span', {}, made(html, 'b', {})),
    made(svg, 'svg', {}, made(svg, 'title', {})),
  ]
  const inStates = ['details', 'dialog', 'input', 'p', 'tr'].flatMap((name) =>
    states.map((attributes) => made(html, name, attributes, ...inside())),
  )
  document.body.replaceChildren(...names.map((name) => made(html, name, {})), ...inStates)
  return [...document.querySelectorAll('*')]
}

test('what shows and how it is set is answered as the whole window answers it', () => {
  const elements = fillPage()
  const read = () =>
    elements.map((element) => {
      const style = getComputedStyle(element)
      return [element.localName, style.display, style.visibility, style.getPropertyValue('display'), style.color]
    })
  expect(document.styleSheets.length).toBe(0)
  const quick = read()
  // With a stylesheet the window is asked, whatever that says.
  document.head.append(document.createElement('style'))
  expect(quick).toEqual(read())
  document.head.replaceChildren()
})

test('a style that changes what shows is heeded', () => {
  document.body.replaceChildren(made(html, 'p', {}, made(html, 'b', {})))
  const [outer, inner] = [...document.body.querySelectorAll('*')]
  if (!(outer instanceof HTMLElement && inner instanceof HTMLElement)) throw new Error('There are two.')
  const shown = () => [getComputedStyle(outer).display, getComputedStyle(inner).visibility]
  expect(shown()).toEqual(['block', 'visible'])
  outer.style.visibility = 'hidden'
  expect(shown()).toEqual(['block', 'hidden'])
  outer.hidden = true
  expect(shown()).toEqual(['none', 'hidden'])
  const sheet = document.createElement('style')
  sheet.textContent = 'p[hidden] { display: flex } b { visibility: collapse }'
  document.head.append(sheet)
  expect(shown()).toEqual(['flex', 'collapse'])
  sheet.remove()
})

test('a selector matches what the page finds by it, and is refused where it is none', () => {
  const elements = fillPage()
  const selectors = [
    ...['*', 'b', 'script, style', 'button,input', 'input[type="checkbox"]', 'input:not([type])', '*[role~="switch"]'],
    ...[
      'details[open]',
      'p.part',
      'title',
      'svg path',
      'p > span',
      'dialog:not([open]), li',
      ':hover',
      'P',
      'a:is(b, a)',
    ],
  ]
  for (const selector of selectors) {
    const found = new Set(document.querySelectorAll(selector))
    for (const round of ['first', 'again']) {
      const matched = elements.filter((element) => element.matches(selector))
      expect([selector, round, matched.length]).toEqual([selector, round, found.size])
      expect(matched.every((element) => found.has(element))).toBe(true)
    }
  }
  for (const _ of ['first', 'again']) expect(() => document.body.matches('p[')).toThrow()
})
