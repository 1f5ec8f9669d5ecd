import { Box, type Key, render, Text, useApp, useInput, useWindowSize } from 'ink'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '#cli/connection.ts'
import { type Desk, readDesk } from '#cli/desk/desk-data.ts'
import type { Chosen, Ran, Shown } from '#cli/desk/desk-state.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { changedSince, parsePlan } from '#cli/plan-file.ts'
import { requestPage } from '#cli/request.ts'
import { type AdminMember, AdminMemberList } from '#shared/contract/members.ts'
import { actions, Body, Figures, Keys } from './desk-parts.tsx'

const refreshMs = 15_000
const mostMembers = 200

type Opened = {
  io: Io
  screen: NonNullable<Io['screen']>
  client: Client
  siteUrl: string
  run(argv: readonly string[], input?: string): Promise<Ran>
}

/** Draws the desk on the alternate screen until the person leaves, then restores the terminal. */
export async function runDesk({ io, screen, ...desk }: Opened): Promise<void> {
  const { stdin, stdout } = screen
  // We already know there's a person at this terminal. Without this, `CI` in the environment would leave it empty.
  const options = { stdin, stdout, interactive: true, exitOnCtrlC: false, alternateScreen: true, patchConsole: false }
  let isCancelled = false
  const cancel = () => {
    isCancelled = true
  }
  const view = render(<DeskView {...desk} cancel={cancel} />, options)
  io.signal.addEventListener('abort', () => view.unmount(), { once: true })
  await view.waitUntilExit()
  // Otherwise a key typed in the last moment keeps the process alive.
  stdin.unref()
  if (isCancelled) throw new CliError(exitCodes.cancelled)
}

type ViewProps = Omit<Opened, 'io' | 'screen'> & { cancel(): void }

type View = {
  pane: 'queue' | 'members'
  at: { queue: number; members: number }
  search: Search
  shown: Shown | null
  top: number
}
const atFirst: View = {
  pane: 'queue',
  at: { queue: 0, members: 0 },
  search: { text: '', isTyping: false },
  shown: null,
  top: 0,
}

function DeskView({ client, siteUrl, run, cancel }: ViewProps) {
  const { exit } = useApp()
  const { columns, rows } = useWindowSize()
  const { view, change } = useView()
  const { pane, at, search, shown, top } = view()
  const { desk, found, problem, refresh } = useDesk(client, search.text)
  const { busy, isBusy, begin, leave } = useOneAtATime({ exit, show: (page) => change({ top: 0, shown: page }) })
  useKeys((input, key) => {
    const { at, search, shown, top } = view()
    const isCancelled = key.ctrl && input === 'c'
    if (isCancelled) cancel()
    if (isCancelled || (input === 'q' && !search.isTyping)) return leave()
    if (isBusy()) return
    if (search.isTyping) return change({ at: { ...at, members: 0 }, search: typedSearch({ input, key, search }) })
    const step = stepOf(input, key)
    if (shown === null) return onLists({ input, key, step })
    if (step !== 0) return change({ top: Math.max(top + step, 0) })
    begin(() => onPage({ input, key, shown, run, refresh }))
  })
  const onLists = ({ input, key, step }: { input: string; key: Key; step: number }) => {
    const { pane, at, search } = view()
    // The members still belong to an earlier search. They're about to change, so Enter mustn't open one by position.
    const lists = { queue: desk?.queue ?? [], members: found?.words === search.text ? found.members : [] }
    if (step !== 0) change({ at: { ...at, [pane]: Math.max(Math.min(at[pane] + step, lists[pane].length - 1), 0) } })
    else if (key.tab || key.leftArrow || key.rightArrow) change({ pane: pane === 'queue' ? 'members' : 'queue' })
    else if (input === '/') change({ pane: 'members', search: { ...search, isTyping: true } })
    else if (key.escape && search.text !== '') change({ search: { text: '', isTyping: false } })
    else if (input === 'r') begin(refresh)
    else if (key.return) begin(() => openItem(run, lists[pane][at[pane]]))
  }
  // Those of an earlier search stay until the new ones are read, but nobody being found is said only then.
  const isRead = found !== null && (found.words === search.text || found.members.length > 0)
  const [members, waiting] = [isRead ? found.members : null, problem === null ? 'Reading …' : 'Not read.']
  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <Figures desk={desk} siteUrl={siteUrl} waiting={waiting} width={columns} />
      <Box height={Math.max(rows - 7, 3)} gap={2} flexGrow={1}>
        <Body
          shown={shown}
          top={top}
          pane={pane}
          at={at}
          desk={desk}
          members={members}
          search={search}
          waiting={waiting}
          width={columns}
          height={Math.max(rows - 7, 3)}
        />
      </Box>
      <Text color={problem === null ? 'yellow' : 'red'} wrap="truncate">
        {busy ? 'Working …' : (problem ?? ' ')}
      </Text>
      <Keys shown={shown} isTyping={search.isTyping} pane={pane} />
    </Box>
  )
}

/** Each key builds on the state the last one left, even if no frame was drawn in between. */
function useView() {
  const latest = useRef(atFirst)
  const [, setDrawn] = useState(atFirst)
  const view = useCallback(() => latest.current, [])
  const change = (changed: Partial<View>) => {
    latest.current = { ...latest.current, ...changed }
    setDrawn(latest.current)
  }
  return { view, change }
}

type Listen = Parameters<typeof useInput>[0]

/**
 * Ink reattaches its listener only some time after a frame is drawn, so a key before that goes to the current frame's. Keys typed
 * fast, or pasted, arrive as one text, so we handle them one by one.
 */
function useKeys(listen: Listen): void {
  const newest = useRef(listen)
  newest.current = listen
  const hear = useCallback<Listen>((input, key) => {
    if (key.ctrl || key.meta || input.length < 2) return newest.current(input, key)
    for (const one of input) {
      const named = { return: one === '\r', tab: one === '\t', backspace: one === '\u007f' }
      newest.current(Object.values(named).includes(true) ? '' : one, { ...key, ...named })
    }
  }, [])
  useInput(hear)
}

function useDesk(client: Client, words: string) {
  const [desk, setDesk] = useState<Desk | null>(null)
  const [found, setFound] = useState<{ words: string; members: AdminMember[] } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const newest = useRef(0)
  const refresh = useCallback(async (): Promise<undefined> => {
    newest.current += 1
    const mine = newest.current
    try {
      const query = { limit: mostMembers, ...(words === '' ? {} : { q: words }) }
      const [read, { value }] = await Promise.all([
        readDesk(client),
        requestPage(AdminMemberList, client.api.admin.members.get({ query })),
      ])
      if (mine !== newest.current) return
      setDesk(read)
      setFound({ words, members: value })
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }, [client, words])
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => void refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [refresh])
  return { desk, found, problem, refresh }
}

/** One piece of work at a time; if the owner leaves, we finish it first. */
function useOneAtATime({ exit, show }: { exit(): void; show(page: Shown | null): void }) {
  const [busy, setBusy] = useState(false)
  const state = useRef({ isBusy: false, isLeaving: false })
  /** Shows the page the work returns when it ends; without one the current page stays. */
  const begin = (work: () => Promise<Shown | null | undefined>) => {
    if (state.current.isBusy) return
    state.current.isBusy = true
    setBusy(true)
    const end = (page: Shown | null | undefined) => {
      state.current.isBusy = false
      setBusy(false)
      if (page !== undefined) show(page)
      if (state.current.isLeaving) exit()
    }
    work().then(end, (error) => end({ kind: 'text', title: 'Not done', text: String(error) }))
  }
  const leave = () => {
    state.current.isLeaving = true
    if (!state.current.isBusy) exit()
  }
  const isBusy = () => state.current.isBusy
  return { busy, isBusy, begin, leave }
}

const stepOf = (input: string, key: { downArrow: boolean; upArrow: boolean }) =>
  key.downArrow || input === 'j' ? 1 : key.upArrow || input === 'k' ? -1 : 0

type Keyed = { input: string; key: { return: boolean; escape: boolean; backspace: boolean; delete: boolean } }
type Search = { text: string; isTyping: boolean }

function typedSearch({ input, key, search: { text } }: Keyed & { search: Search }): Search {
  if (key.escape || key.return) return { text: key.escape ? '' : text, isTyping: false }
  const longer = text + input.replace(/\p{Cc}/gu, '')
  return { text: key.backspace || key.delete ? text.slice(0, -1) : longer, isTyping: true }
}

type Run = Opened['run']
const saidBy = ({ out, err }: Ran) => [out.trimEnd(), err.trimEnd()].filter(Boolean).join('\n\n')

async function openItem(run: Run, item: Chosen): Promise<Shown | undefined> {
  if (item === undefined) return undefined
  const memberId = 'kind' in item ? item.memberId : item.id
  if (memberId !== null) return { kind: 'member', id: memberId, text: saidBy(await run(['members', 'show', memberId])) }
  if (!('kind' in item) || item.command === null) {
    return { kind: 'text', title: 'To do', text: 'detail' in item ? `${item.title}\n${item.detail}` : '' }
  }
  const text = `${saidBy(await run(item.command.split(' ')))}\n\nalliance ${item.command}`
  return { kind: 'text', title: item.title, text }
}

type OnPage = Keyed & { shown: Shown; run: Run; refresh(): Promise<undefined> }

/** A page's keys: an action shows its plan, and a yes does exactly that plan. */
async function onPage({ input, key, shown, run, refresh }: OnPage): Promise<Shown | null | undefined> {
  if (shown.kind === 'plan') {
    if (input !== 'y') return shown.back
    const done = await run(['apply', '-', '--yes'], shown.plan)
    await refresh()
    const { back } = shown
    if (done.err.startsWith(changedSince) && back.kind === 'member') {
      const now = saidBy(await run(['members', 'show', back.id]))
      return { ...back, text: `Not done: something’s changed since. Look again.\n\n${now}` }
    }
    return { kind: 'text', title: done.code === 0 ? 'Done' : 'Not done', text: saidBy(done) }
  }
  if (key.escape || key.return || input === 'b') return null
  const action = shown.kind === 'member' ? actions.find((one) => one.key === input) : undefined
  if (action === undefined || shown.kind !== 'member') return undefined
  const argv = ['members', ...action.argv(shown.id), '--dry-run']
  const plan = await run([...argv, '--json'])
  if (plan.code !== 0) return { kind: 'text', title: 'Not possible', text: saidBy(plan) }
  const { question } = parsePlan(plan.out)
  return { kind: 'plan', text: saidBy(await run([...argv, '--quiet'])), plan: plan.out, question, back: shown }
}
