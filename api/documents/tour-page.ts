import { mailboxPath } from './mailbox-page.ts'
import { type PageLook, type PageStyle, pageStyle, plainPage, escapeText as text } from './plain-page.ts'

/** A step of the tour: what to do, what happens, and the buttons for it. */
export type TourStep = {
  /** The step's anchor, to which the page returns after a button is pressed. */
  id: string
  title: string
  /** Sentences. Text between backticks is for typing. */
  lines: readonly string[]
  isDone: boolean
  /** What this step's last button did, or why it did nothing. Null if none was pressed. */
  outcome: TourOutcome | null
  /** Set while what a button began goes on. It stands in the buttons' place. */
  underWay?: UnderWay | null
  links?: readonly { label: string; href: string }[]
  /** Each button posts its `value` to the tour's own route. */
  buttons?: readonly { label: string; value: string }[]
}

/** `next`: where it's seen how far it is by then. Another address each time: a browser doesn’t load one with a `#` again. */
export type UnderWay = { days: number; of: number; next: string }

export type TourOutcome = { isOk: boolean; lines: readonly string[] }

export type Tour = {
  steps: readonly TourStep[]
  notice: string
  /** Where buttons post to, and the clock when the page was made, so a double click counts once. */
  action: string
  clock: string
}

export const tourPath = '/sandbox'

export function tourStyle(look: PageLook): PageStyle {
  const { css, policy } = pageStyle(look, tourCss)
  return { css, policy: policy.replace(`form-action 'none'`, `form-action 'self'`) }
}

export function tourPage({ css }: PageStyle, tour: Tour): string {
  const done = tour.steps.filter(({ isDone }) => isDone).length
  return plainPage(css, {
    title: 'Try it out',
    next: tour.steps.find(({ underWay }) => underWay)?.underWay?.next,
    bar: {
      name: 'Sandbox',
      links: [
        { label: 'To the site', href: '/' },
        { label: 'Mailbox', href: mailboxPath },
      ],
    },
    main: `<h1>Try it out</h1>
<p class="intro">Eight things to try, in this order or any other. No money moves and no email leaves this machine. ${text(tour.notice)}</p>
<p class="count"><b>${done} of ${tour.steps.length} done.</b> <a href="${tourPath}">Check again</a></p>
<ol class="steps">
${tour.steps.map((step) => stepItem(step, tour)).join('\n')}
</ol>
`,
  })
}

const stepItem = (step: TourStep, tour: Tour) => `<li id="${step.id}">
<h2>${text(step.title)}${step.isDone ? ' <span class="done">Done</span>' : ''}</h2>
${step.lines.map((line) => `<p>${withCode(line)}</p>`).join('\n')}
${step.underWay ? underWayOf(step.underWay) : actsOf(step, tour)}</li>`

const underWayOf = ({ days, of }: UnderWay) =>
  `<p role="status"><progress aria-label="Days done" max="${of}" value="${days}"></progress> ${days} of ${of} days done.</p>`

const actsOf = ({ links = [], buttons = [], outcome }: TourStep, tour: Tour) =>
  `<div class="acts">${links.map(linkOf).join('')}${buttons.map((button) => formOf(button, tour)).join('')}</div>
${outcome === null ? '' : outcomeOf(outcome)}`

/** Opens in a new tab, so the checklist stays open. */
const linkOf = ({ label, href }: { label: string; href: string }) =>
  `<a class="act" href="${text(href)}" target="_blank" rel="noopener">${text(label)} <small>(new tab)</small></a>`

const formOf = ({ label, value }: { label: string; value: string }, { action, clock }: Tour) =>
  `<form method="post" action="${text(action)}"><input type="hidden" name="clock" value="${text(clock)}"><button class="act" name="do" value="${text(value)}">${text(label)}</button></form>`

const outcomeOf = ({ isOk, lines }: TourOutcome) =>
  `<div class="outcome${isOk ? '' : ' outcome--bad'}" role="status">${lines.map((line) => `<p>${withCode(line)}</p>`).join('')}</div>`

/** Splitting by a capturing pattern puts what's for typing at odd positions. */
const withCode = (line: string) =>
  line
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? `<code>${text(part)}</code>` : text(part)))
    .join('')

const tourCss = `
.intro { margin-block: 1rem; }
.count { margin-block-end: 1rem; }
.count a { display: inline-flex; align-items: center; min-height: 3rem; margin-inline-start: 0.5rem; }
.steps { margin: 0; padding: 0; list-style: none; counter-reset: step; border-block-start: 4px solid var(--ink); }
.steps > li { counter-increment: step; padding-block: 1.25rem; border-block-end: 1px solid var(--rule); }
.steps h2 { margin: 0 0 0.5rem; font-size: 1.5rem; font-weight: 800; font-stretch: 82%; color: var(--ink); line-height: 1.2; }
.steps h2::before { content: counter(step) ". "; }
.steps p + p { margin-block-start: 0.5rem; }
.done { display: inline-block; padding: 0.1rem 0.5rem; border: 2px solid var(--ink); font-size: 0.9375rem; font-stretch: 116%; text-transform: uppercase; }
code { font: inherit; font-weight: 640; padding: 0 0.25rem; background: var(--bench); }
.acts { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block-start: 0.75rem; }
.act { display: inline-flex; flex-wrap: wrap; align-items: center; align-content: center; gap: 0 0.4rem; min-height: 3rem; padding: 0.25rem 1rem; border: 2px solid var(--ink); border-radius: 3px; background: var(--sheet); color: var(--ink); font: inherit; font-weight: 700; text-decoration: none; cursor: pointer; }
.act small { font-weight: 440; font-size: 1rem; white-space: nowrap; }
.act:hover { background: var(--copy-yellow); }
progress { display: block; width: 100%; height: 1.5rem; accent-color: var(--ink); }
.outcome { margin-block-start: 1rem; padding: 0.75rem 1rem; background: var(--copy-yellow); border-inline-start: 6px solid var(--ink); }
.outcome--bad { background: var(--copy-pink); }
`
