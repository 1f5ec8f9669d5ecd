/** What a case may choose of its browser. */
export type Options = {
  width?: number
  height?: number
  isDark?: boolean
  userAgent?: string
  /** Keeps nothing, as a private window. */
  isPrivate?: boolean
  /** Tab goes from field to button, past links, as Safari's and Firefox's own does on a Mac. Chromium has no such way. */
  skipsLinks?: boolean
  /** Its console names requests that failed. In Firefox that costs a twelfth of its work, so it's asked for. */
  hearsRequests?: boolean
  /** A made-up microphone that beeps, and a person who allows it. */
  hasMicrophone?: boolean
  /** Its calendar can be moved. */
  hasOwnClock?: boolean
  /** WebKit's by name, as `{ FileSystem: false }`: a Safari without it. The others lack it too, where they know what it is. */
  features?: Record<string, boolean>
}

export type Launch = Required<Options> & {
  /** A folder that outlives the browser. */
  profile: string
  downloads: string
  log: string
}

/** A running browser, as its adapter gives it: what differs between browsers, and nothing else. */
export type Engine = {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  forward(): Promise<void>
  /** The value of an expression in the page; a promise is awaited. It has to fit into JSON. */
  evaluate(expression: string): Promise<unknown>
  click(at: Point): Promise<void>
  /** Only moves the pointer there. */
  point(at: Point): Promise<void>
  /** `Tab`, `Shift+Tab`, `Control+k`. */
  key(combination: string): Promise<void>
  type(text: string): Promise<void>
  /** Gives files to the input that the expression finds. */
  upload(expression: string, files: readonly string[]): Promise<void>
  screenshot(): Promise<Buffer>
  resize(width: number, height: number): Promise<void>
  newTab(): Promise<Tab>
  tab(): Promise<Tab>
  toTab(tab: Tab): Promise<void>
  closeTab(): Promise<void>
  /** Errors, warnings, what the policy refused and, if asked for, requests that failed, since the last time. */
  console(): string[]
  /** Tells pages of a lost signal, in a browser that doesn't hear it of the machine. */
  setSignal?(isThere: boolean): Promise<void>
  /** Moves the calendar on. What counts seconds goes on as it was. */
  moveClock(days: number): Promise<void>
  /** The browser's processes, which can be put to sleep. */
  processes(): number[]
  close(): Promise<void>
}

export type Point = { x: number; y: number }
export type Tab = string
export type EngineName = 'webkit' | 'firefox' | 'chromium'

/** What browsers run in: the country of the members, and no accessibility bus. */
export const surroundings = {
  ...process.env,
  TZ: 'Europe/London',
  LANG: 'en_GB.UTF-8',
  LANGUAGE: 'en_GB',
  NO_AT_BRIDGE: '1',
  GTK_A11Y: 'none',
}
