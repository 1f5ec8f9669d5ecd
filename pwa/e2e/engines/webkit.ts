import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { freePort } from '../free-port.ts'
import { moveClock, withClock } from './clock.ts'
import { endProcess, openDisplay } from './display.ts'
import { type Engine, type Launch, type Point, surroundings } from './engine.ts'
import { isRunning, signalTo, startedBy } from './processes.ts'

const driverProgram = '/usr/bin/WebKitWebDriver'
const window = fileURLToPath(new URL('webkit-window.py', import.meta.url))

/** What Safari has, and Debian's WebKit leaves off. */
const safariHas = {
  FileSystem: true,
  FileSystemWritableStream: true,
  AccessHandle: true,
  StorageAPI: true,
  StorageAPIEstimate: true,
}

/** A driver that waits for a page, such as in the middle of a load, never tells its window to end. */
const closeMs = 15_000

/** As WebDriver numbers them. */
const keyCodes: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
}

const Answer = v.object({ value: v.unknown() })
const Refusal = v.object({ error: v.string(), message: v.string() })
const Session = v.object({ sessionId: v.string() })
const Outcome = v.object({ value: v.nullish(v.string()), error: v.nullish(v.string()) })
const Window = v.object({ handle: v.string() })

/** WebKit by WebDriver, in a window of our own. */
export async function openWebKit(launch: Launch): Promise<Engine> {
  const display = await openDisplay()
  const port = await freePort()
  const clock = `${launch.profile}-clock`
  const driver = spawn(driverProgram, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...surroundings, DISPLAY: display.name, ...(launch.hasOwnClock ? withClock(clock) : {}) },
  })
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = v.parse(Answer, await response.json())
    if (response.ok) return value
    const { error, message } = v.parse(Refusal, value)
    throw new Error(`WebKit: ${method} ${path.split('/').slice(3).join('/')}: ${error}: ${message}`)
  }
  const isUp = () =>
    ask('GET', '/status').then(
      () => true,
      () => false,
    )
  while (!(await isUp())) {
    if (driver.exitCode !== null) throw new Error('WebKitWebDriver ended.')
    await setTimeout(20)
  }
  const { sessionId } = v.parse(
    Session,
    await ask('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'Window',
          unhandledPromptBehavior: 'ignore',
          timeouts: { script: 60_000, pageLoad: 60_000 },
          'webkitgtk:browserOptions': { binary: window, args: argumentsOf(launch) },
        },
      },
    }),
  )
  const call = (method: string, path: string, body?: unknown) => ask(method, `/session/${sessionId}${path}`, body)
  const act = (id: string, type: string, actions: unknown[], more = {}) =>
    call('POST', '/actions', { actions: [{ type, id, actions, ...more }] })
  const [windowProcess = 0] = startedBy(driver.pid ?? 0)
  let read = 0
  return {
    goto: async (url) => void (await call('POST', '/url', { url })),
    reload: async () => void (await call('POST', '/refresh', {})),
    back: async () => void (await call('POST', '/back', {})),
    forward: async () => void (await call('POST', '/forward', {})),
    async evaluate(expression) {
      const script = `const done = arguments[0]
        Promise.resolve().then(() => (${expression})).then(
          (value) => done({ value: JSON.stringify(value) }),
          (error) => done({ error: String(error) }))`
      const { value, error } = v.parse(Outcome, await call('POST', '/execute/async', { script, args: [] }))
      if (error) throw new Error(error)
      return value ? JSON.parse(value) : undefined
    },
    async click({ x, y }) {
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await act('mouse', 'pointer', [moveTo({ x, y }), ...press], { parameters: { pointerType: 'mouse' } })
    },
    point: async (at) => void (await act('mouse', 'pointer', [moveTo(at)], { parameters: { pointerType: 'mouse' } })),
    async key(combination) {
      const values = combination.split('+').map((name) => keyCodes[name] ?? name)
      const down = values.map((value) => ({ type: 'keyDown', value }))
      await act('keys', 'key', [...down, ...values.reverse().map((value) => ({ type: 'keyUp', value }))])
    },
    async type(text) {
      const strokes = [...text].map((sign) => (sign === '\n' ? (keyCodes.Enter ?? sign) : sign))
      const both = strokes.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await act('keys', 'key', both)
    },
    async upload(expression, files) {
      const found = v.parse(
        v.record(v.string(), v.string()),
        await call('POST', '/execute/sync', { script: `return ${expression}`, args: [] }),
      )
      await call('POST', `/element/${Object.values(found)[0]}/value`, { text: files.join('\n') })
    },
    screenshot: async () => Buffer.from(v.parse(v.string(), await call('GET', '/screenshot')), 'base64'),
    resize: async (width, height) => void (await call('POST', '/window/rect', { x: 0, y: 0, width, height })),
    newTab: async () => v.parse(Window, await call('POST', '/window/new', { type: 'tab' })).handle,
    tab: async () => v.parse(v.string(), await call('GET', '/window')),
    toTab: async (handle) => void (await call('POST', '/window', { handle })),
    async closeTab() {
      const [handle] = v.parse(v.array(v.string()), await call('DELETE', '/window'))
      await call('POST', '/window', { handle })
    },
    console() {
      const all = existsSync(launch.log) ? readFileSync(launch.log, 'utf8') : ''
      const fresh = all.slice(read)
      read = all.length
      return fresh.split('\n').filter((line) => /^CONSOLE \w+ (ERROR|WARN)|^CONSOLE ERROR/.test(line))
    },
    moveClock: async (days) => moveClock(clock, days),
    processes: () => startedBy(driver.pid ?? 0),
    async close() {
      const end = performance.now() + closeMs
      await Promise.race([call('DELETE', '').catch(() => {}), setTimeout(closeMs)])
      while (isRunning(windowProcess)) {
        if (performance.now() > end) signalTo([windowProcess], 'SIGTERM')
        await setTimeout(20)
      }
      await endProcess(driver)
      await display.close()
    },
  }
}

function argumentsOf(launch: Launch) {
  const { width, height, isDark, userAgent, isPrivate, skipsLinks, hasMicrophone, features, profile, downloads, log } =
    launch
  const switched = Object.entries({ ...safariHas, MockCaptureDevices: hasMicrophone, ...features }).map(
    ([name, isOn]) => `${isOn ? '+' : '-'}${name}`,
  )
  return [
    `--size=${width}x${height}`,
    `--log=${log}`,
    `--downloads=${downloads}`,
    `--features=${switched.join(',')}`,
    ...(isPrivate ? [] : [`--profile=${profile}`]),
    ...(isDark ? ['--dark'] : []),
    ...(skipsLinks ? ['--skip-links'] : []),
    ...(userAgent ? [`--ua=${userAgent}`] : []),
  ]
}

const moveTo = ({ x, y }: Point) => ({
  type: 'pointerMove',
  duration: 0,
  origin: 'viewport',
  x: Math.round(x),
  y: Math.round(y),
})
