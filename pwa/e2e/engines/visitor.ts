import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openChromium } from './chromium.ts'
import type { Engine, EngineName, Launch, Options, Point, Tab } from './engine.ts'
import { openFirefox } from './firefox.ts'
import {
  copyHtml,
  findAll,
  type Kind,
  outlinePage,
  pickValue,
  pressPoint,
  type Sought,
  selectField,
  spell,
} from './in-page.ts'
import { signalTo } from './processes.ts'
import { openWebKit } from './webkit.ts'

const adapters: Record<EngineName, (launch: Launch) => Promise<Engine>> = {
  webkit: openWebKit,
  firefox: openFirefox,
  chromium: openChromium,
}

/** It only ends what hangs. */
const patience = 60_000

type Where = { near?: string }

/** A person with a browser, who does what people do. Its profile lasts from one opening to the next. */
export type Visitor = Awaited<ReturnType<typeof openVisitor>>

export async function openVisitor(name: EngineName, site: string, options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), `alliance-${name}-`))
  const launch: Launch = {
    width: 390,
    height: 844,
    isDark: false,
    userAgent: '',
    isPrivate: false,
    skipsLinks: false,
    hearsRequests: false,
    hasMicrophone: false,
    hasOwnClock: false,
    features: {},
    ...options,
    profile: join(folder, 'profile'),
    downloads: join(folder, 'downloads'),
    log: join(folder, 'log'),
  }
  for (const kept of [launch.profile, launch.downloads]) mkdirSync(kept)
  let engine: Engine | null = await adapters[name](launch)
  const running = () => {
    if (!engine) throw new Error('The browser is closed.')
    return engine
  }
  const told: string[] = []
  const listen = () => void told.push(...(engine?.console() ?? []))

  const inPage = (expression: string) => running().evaluate(expression)
  const all = (sought: Sought) => `(${findAll})(${spell(sought)})`
  const one = (sought: Sought) => `${all(sought)}[0]`

  /** Asks the page until it says yes. A page that's just being left answers nothing. */
  async function until<Answer>(ask: () => Promise<Answer>, what: string): Promise<NonNullable<Answer>> {
    const end = performance.now() + patience
    let last: unknown
    for (let pause = 50; ; pause = Math.min(pause * 1.5, 400)) {
      try {
        const answer = await ask()
        if (answer) return answer
        last = undefined
      } catch (error) {
        last = error
      }
      if (performance.now() > end) throw new Error(`${name} ${what}`, { cause: last })
      // Each question costs the page work that a busy machine lacks elsewhere.
      await setTimeout(pause)
    }
  }
  /** A page that the press led to knows nothing of it. One that's on its way has no answer yet: it's asked some more times. */
  async function hasMissed(): Promise<boolean> {
    for (let tries = 0; tries < 10; tries += 1) {
      try {
        return (await inPage('globalThis.hasMissed')) === true
      } catch {
        await setTimeout(50)
      }
    }
    return false
  }
  async function isPressed(sought: Sought): Promise<boolean> {
    const at = await inPage(`(${pressPoint})(${one(sought)})`)
    // Only `pressPoint` answers here.
    if (at) await running().click(at as Parameters<Engine['click']>[0])
    return Boolean(at) && !(await hasMissed())
  }
  /** From the start if the page is left meanwhile: what's selected is typed over. */
  async function isFilled(sought: Sought, text: string): Promise<boolean> {
    if (!(await inPage(`${all(sought)}.length > 0`))) return false
    if (await inPage(`(${pickValue})(${one(sought)}, ${JSON.stringify(text)})`)) return true
    if (!(await inPage(`(${selectField})(${one(sought)})`))) return false
    await (text === '' ? running().key('Backspace') : running().type(text))
    return true
  }
  const called = ({ kind, name, near }: Sought) => `${kind} “${name ?? ''}”${near ? ` near “${near}”` : ''}`
  /** A page that doesn't load is a page, too: what's then shown is for the case to say. */
  const load = (loading: Promise<void>) => loading.catch((error) => void told.push(`navigation ${error.message}`))

  return {
    name,
    launch,
    goto: (path: string) => load(running().goto(new URL(path, site).href)),
    reload: () => load(running().reload()),
    back: () => running().back(),
    forward: () => running().forward(),
    async press(kind: Kind, name: string | RegExp, where: Where = {}) {
      const sought = { kind, name, ...where }
      await until(() => isPressed(sought), `couldn’t press the ${called(sought)}`)
    },
    /** For what may come by itself, and takes the button away. */
    async pressUnless(come: Sought, kind: Kind, name: string | RegExp) {
      const sought = { kind, name }
      const isThere = () => inPage(`${all(come)}.length > 0`)
      await until(async () => (await isThere()) || (await isPressed(sought)), `couldn’t press the ${called(sought)}`)
    },
    /** Types into a field in place of what it holds; a day, a time or a choice is picked. */
    async fill(name: string | RegExp, text: string, where: Where = {}) {
      const sought: Sought = { kind: 'field', name, ...where }
      await until(() => isFilled(sought, text), `couldn’t fill the ${called(sought)}`)
    },
    async sees(kind: Kind, name?: string | RegExp, where: Where = {}) {
      const sought = { kind, ...(name === undefined ? {} : { name }), ...where }
      await until(() => inPage(`${all(sought)}.length > 0`), `didn’t see the ${called(sought)}`)
    },
    async notSees(kind: Kind, name?: string | RegExp, where: Where = {}) {
      const sought = { kind, ...(name === undefined ? {} : { name }), ...where }
      await until(() => inPage(`${all(sought)}.length === 0`), `still saw the ${called(sought)}`)
    },
    async keys(...combinations: string[]) {
      for (const combination of combinations) await running().key(combination)
    },
    typeKeys: (text: string) => running().type(text),
    /** Pastes into what has the focus, as another program put it on the clipboard. */
    async paste(html: string) {
      const tab = await running().tab()
      // Between origins a browser cleans what's pasted.
      await running().newTab().then(running().toTab)
      await running().goto('data:text/html,<input autofocus value="copied">')
      await inPage(`(${selectField})(document.querySelector('input'))`)
      await inPage(`(${copyHtml})(${JSON.stringify(html)})`)
      await running().key('Control+c')
      await running().closeTab()
      await running().toTab(tab)
      await running().key('Control+v')
    },
    async upload(name: string | RegExp, ...files: string[]) {
      const sought: Sought = { kind: 'field', name }
      await until(() => inPage(`${all(sought)}.length > 0`), `there’s no ${called(sought)}`)
      await running().upload(one(sought), files)
    },
    /** Looks at the page, and does nothing there: what a person does goes through the rest. */
    read: async <Given extends unknown[], Seen>(look: (...given: Given) => Seen, ...given: Given) =>
      (await inPage(`(${look})(...${JSON.stringify(given)})`)) as Awaited<Seen>,
    /** Looks until the answer is yes. */
    readUntil: async <Given extends unknown[], Seen>(look: (...given: Given) => Seen, ...given: Given) =>
      (await until(
        () => inPage(`(${look})(...${JSON.stringify(given)})`),
        `it didn’t come true: ${look}`,
      )) as Awaited<Seen>,
    address: async () => new URL(String(await inPage('location.href'))),
    screenshot: () => running().screenshot(),
    outline: () => inPage(`(${outlinePage})()`),
    /** Since the last time. */
    console() {
      listen()
      return told.splice(0)
    },
    resize: (width: number, height: number) => running().resize(width, height),
    point: (at: Point) => running().point(at),
    newTab: () => running().newTab(),
    tab: () => running().tab(),
    toTab: (tab: Tab) => running().toTab(tab),
    closeTab: () => running().closeTab(),
    setSignal: (isThere: boolean) => engine?.setSignal?.(isThere),
    /** All its processes stop, as those of a phone in a pocket. */
    sleep: () => signalTo(running().processes(), 'SIGSTOP'),
    wake: () => signalTo(running().processes(), 'SIGCONT'),
    moveClock: (days: number) => running().moveClock(days),
    async close() {
      if (!engine) return
      listen()
      signalTo(engine.processes(), 'SIGCONT')
      await engine.close()
      engine = null
    },
    async open() {
      engine ??= await adapters[name](launch)
    },
    isOpen: () => engine !== null,
    // A browser's last process may still be writing.
    forget: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }),
  }
}
