import type { ReactNode } from 'react'
import { Icon } from '#pwa/ui/icon.tsx'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import type { AppleBrowser, InstallWay } from '#shared/rules/install-way.ts'
import '#pwa/ui/styles/step-list.css'
import './install-steps.css'

/** What people look for on their own screen. Not in the sprite, which every page carries. */
const drawn = {
  dots: 'M4 12h2.5M10.75 12h2.5M17.5 12H20',
  compass: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM16 8l-2.5 5.5L8 16l2.5-5.5z',
  plus: 'M4 4h16v16H4zM12 8v8M8 12h8',
  switch: 'M8 6h8a6 6 0 0 1 0 12H8A6 6 0 0 1 8 6zM16 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
} as const

type Drawn = keyof typeof drawn
type Step = { icons: readonly (Drawn | IconName)[]; text: ReactNode }

const isDrawn = (name: Drawn | IconName): name is Drawn => name in drawn

const shareSteps: Record<AppleBrowser, Step> = {
  Safari: {
    icons: ['share'],
    text: (
      <>
        Press <b>Share</b> in Safari’s toolbar.
      </>
    ),
  },
  Chrome: {
    icons: ['share'],
    text: (
      <>
        Press <b>Share</b> in Chrome’s address bar.
      </>
    ),
  },
  Edge: {
    icons: ['menu', 'share'],
    text: (
      <>
        Press the menu in Edge’s toolbar, then <b>Share</b>.
      </>
    ),
  },
  Firefox: {
    icons: ['menu', 'share'],
    text: (
      <>
        Press the menu in Firefox’s toolbar, then <b>Share</b>.
      </>
    ),
  },
}

const shareIn26: Step = {
  icons: ['dots', 'share'],
  text: (
    <>
      Press <b>•••</b> in Safari’s toolbar, then <b>Share</b>. If Share is in the toolbar, press that.
    </>
  ),
}

const add: Step = {
  icons: ['plus'],
  text: (
    <>
      Scroll down and press <b>Add to Home Screen</b>.
    </>
  ),
}
const addIn26: Step = {
  icons: ['plus'],
  text: (
    <>
      Scroll down, or press <b>View More</b>. Then press <b>Add to Home Screen</b>.
    </>
  ),
}

const confirm: Step = {
  icons: ['tick'],
  text: (
    <>
      Press <b>Add</b>. Then open us from your Home Screen.
    </>
  ),
}
const confirmIn26: Step = {
  icons: ['switch'],
  text: (
    <>
      Leave <b>Open as Web App</b> on and press <b>Add</b>. Then open us from your Home Screen.
    </>
  ),
}

const leave = (isApple: boolean): Step[] => [
  {
    icons: isApple ? ['dots', 'compass'] : ['dots'],
    text: isApple ? (
      <>
        Press <b>•••</b> or the compass in a corner of the screen.
      </>
    ) : (
      'Press the menu in a corner of the screen.'
    ),
  },
  {
    icons: ['ext'],
    text: (
      <>
        Press <b>{isApple ? 'Open in Safari' : 'Open in Chrome'}</b> or <b>Open in browser</b>.
      </>
    ),
  },
  { icons: ['plus'], text: 'Log in there. Then add us to your home screen.' },
]

const inSamsung: Step[] = [
  { icons: ['menu'], text: 'Press the menu in Samsung Internet’s toolbar.' },
  {
    icons: ['plus'],
    text: (
      <>
        Press <b>Add page to</b>, then <b>Home screen</b>.
      </>
    ),
  },
  {
    icons: ['tick'],
    text: (
      <>
        Press <b>Add</b>. Then open us from your home screen.
      </>
    ),
  },
]

function stepsOf(way: InstallWay): Step[] {
  switch (way.kind) {
    case 'apple':
      return way.isFrom26
        ? [way.browser === 'Safari' ? shareIn26 : shareSteps[way.browser], addIn26, confirmIn26]
        : [shareSteps[way.browser], add, confirm]
    case 'leave':
      return leave(way.isApple)
    case 'samsung':
      return inSamsung
    case 'offer':
      return []
  }
}

export const InstallSteps = ({ way }: { way: InstallWay }) => (
  <ol className="steplist installsteps">
    {stepsOf(way).map(({ icons, text }) => (
      <li key={icons.join()}>
        <p>{text}</p>
        <span>
          {icons.map((name) =>
            isDrawn(name) ? (
              <svg key={name} className="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d={drawn[name]} />
              </svg>
            ) : (
              <Icon key={name} name={name} />
            ),
          )}
        </span>
      </li>
    ))}
  </ol>
)
