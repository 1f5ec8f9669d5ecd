import { isLeaving, whileHere } from './leaving.ts'
import { hasUnsavedForm } from './reload.ts'
import { RequestError } from './request-error.ts'
import { tabStorage } from './storage.ts'

/**
 * Loads a part of the app: every `import()` of a build calls this with the files it needs. A navigation stops loading: then it
 * waits, and loads again if the page stays. A file that the server no longer has means a new version: it reloads the page, once,
 * and never over an unsaved form.
 */
export async function loadFile<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const addresses = files.map((file) => `/${file}`)
  const loadAll = async () => (await Promise.all([load(), ...addresses.map(addLink)]))[0]
  try {
    return await whileHere(loadAll)
  } catch {
    const askForAll = () => Promise.all([...addresses, ...moduleOf(load)].map(askFor))
    const statuses = await whileHere(askForAll).catch(() => [0])
    if (statuses.every((status) => status === 200)) return await whileHere(loadAll).catch(throwAsOurs)
    if (!statuses.includes(404)) throw missing('offline')
    if (mayReload()) return reload()
    throw missing('unreadable')
  }
}

const missing = (code: 'offline' | 'unreadable') => new RequestError({ status: 0, code, message: 'Not loaded' })

/** The browsers' words for a module that didn't come, and ours for a style. Other errors are the module's own. */
function throwAsOurs(error: unknown): never {
  throw /module| \//.test(String(error)) ? missing('offline') : error
}

const styles = new Map<string, Promise<unknown>>()

/** Waits for a style. Begins to fetch a script, which the browser would otherwise find only in the one before. */
function addLink(href: string): Promise<unknown> | undefined {
  const rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  if (document.querySelector(`link[rel=${rel}][href="${href}"]`)) return styles.get(href)
  const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' })
  document.head.append(link)
  if (rel === 'modulepreload') return
  const loading = new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      reject(new Error(href))
    }
  })
  styles.set(href, loading)
  return loading
}

/** Not every browser names the file in its error, nor Vite a module that needs no other. */
function moduleOf(load: () => unknown): string[] {
  const name = /import\(.\.\/([^'"`]+)/.exec(String(load))?.[1]
  return name ? [`/assets/${name}`] : []
}

const askTimeoutMs = 8_000

/** What the server says of this file. Fails without signal. */
async function askFor(file: string): Promise<number> {
  const signal = AbortSignal.timeout(askTimeoutMs)
  return (await fetch(file, { method: 'HEAD', cache: 'no-store', signal })).status
}

const lastReloadKey = 'reloaded-at'
const minReloadIntervalMs = 60_000

const mayReload = () =>
  !isLeaving() && !hasUnsavedForm() && Date.now() - Number(tabStorage.getItem(lastReloadKey)) > minReloadIntervalMs

/** Never settles, so that nothing shows a failure while the page goes. */
function reload(): Promise<never> {
  tabStorage.setItem(lastReloadKey, String(Date.now()))
  window.location.reload()
  return new Promise(() => {})
}
