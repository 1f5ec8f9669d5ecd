import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Answer } from './front.ts'

/** What some promised browser lacks of all that the built files name, as the build found it (docs/browsers.md). */
const lacked: { names: string[]; styles: string[] } = JSON.parse(readFileSync('pwa/dist/server/lacked.json', 'utf8'))

/** Runs in the page or worker, before any other script. */
function remove(paths: readonly string[]): void {
  const events = new Set<string>()
  // Tests read with it what's stored.
  const { databases } = IDBFactory.prototype
  Reflect.set(globalThis, Symbol.for('databases'), () => databases.call(indexedDB))
  for (const path of paths) {
    if (path.startsWith('event:')) events.add(path.slice('event:'.length))
    const parts = path.split('.')
    const name = parts.pop() ?? ''
    let owner: unknown = globalThis
    for (const part of parts) owner = isObject(owner) ? Reflect.get(owner, part) : undefined
    if (!isObject(owner)) continue
    Reflect.deleteProperty(owner, name)
    // What belongs to a window or a worker is the object's own.
    const scope: unknown = /^(Window|\w*WorkerGlobalScope)\./.test(path) && Reflect.get(globalThis, parts[0] ?? '')
    if (typeof scope === 'function' && globalThis instanceof scope) Reflect.deleteProperty(globalThis, name)
  }
  function isObject(value: unknown): value is object {
    return typeof value === 'function' || (typeof value === 'object' && value !== null)
  }
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function listen(...args) {
    if (!events.has(args[0])) Reflect.apply(addEventListener, this, args)
  }
}

const takeAway = `;(${remove})(${JSON.stringify(lacked.names)});`

/** A style that's unknown under another name is dropped as an old browser drops it, and `CSS.supports` says no. */
const unknownStyles = lacked.styles.flatMap((name): [RegExp, string][] => {
  if (name.startsWith('@media '))
    return [[new RegExp(`(@media[^{]*\\()${name.slice('@media '.length)}\\b`, 'g'), '$1old']]
  if (name.startsWith(':')) return [[new RegExp(`${name}\\b(?!-)`, 'g'), `${name}-old`]]
  if (name.endsWith('()')) return [[new RegExp(`\\b${name.slice(0, -2)}(?=\\\\?\\()`, 'g'), `old-${name.slice(0, -2)}`]]
  if (/^1[a-z]+$/.test(name)) return [[new RegExp(`(\\d)${name.slice(1)}\\b`, 'g'), '$1old']]
  return name.includes(' ') ? [] : [[new RegExp(`(?<![\\w-])${name}(?=\\s*:)`, 'g'), `old-${name}`]]
})

const withoutStyles = (css: string) =>
  unknownStyles.reduce((text, [found, instead]) => text.replace(found, instead), css)

const sourceHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Makes an answer one for a browser that lacks all of it: the script comes first, in pages and in workers. */
export function makeOld(answer: Answer): void {
  const text = answer.body.toString()
  if (/^\/sw\.js|-worker-/.test(answer.path)) answer.body = Buffer.from(takeAway + text)
  else if (answer.type.startsWith('text/css')) answer.body = Buffer.from(withoutStyles(text))
  else if (/^\/assets\/.*\.js/.test(answer.path))
    answer.body = Buffer.from(text.replaceAll('light-dark', 'old-light-dark'))
  else if (answer.type.startsWith('text/html')) makeOldPage(answer, text)
}

function makeOldPage(answer: Answer, text: string): void {
  const policy = String(answer.headers['content-security-policy'] ?? '')
  // Pages of the API have no scripts.
  if (!policy.includes('script-src')) return
  const styles: string[] = []
  const page = text.replace(/<style>([\s\S]*?)<\/style>/g, (_whole, css: string) => {
    styles.push(withoutStyles(css))
    return `<style>${styles.at(-1)}</style>`
  })
  answer.body = Buffer.from(page.replace('<head>', () => `<head><script>${takeAway}</script>`))
  answer.headers['content-security-policy'] = policy
    .replace('script-src', `script-src ${sourceHash(takeAway)}`)
    .replace('style-src', `style-src ${styles.map(sourceHash).join(' ')}`)
}
