import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { markWideLogo } from '#pwa/lib/wide-logo.ts'
import { Button } from '#pwa/ui/button.tsx'
import { type MailKind, MailTextTest } from '#shared/contract/texts/mails.ts'
import { marksIn } from '#shared/rules/text-marks.ts'
import { mailTextsQuery } from './queries.ts'

type Props = {
  /** The preview’s URL, with the draft applied. */
  address: string
  /** Changes with each saved change, which reloads the iframe. */
  edition: number
  /** The mark of the text being edited; the iframe scrolls to it. */
  shown: string | null
  onPress: (name: string) => void
}

/**
 * The page with its draft, next to the form. The iframe runs no scripts: this component listens from outside, so no link
 * leads away and no form is sent.
 */
export function PagePreview({ address, edition, shown, onPress }: Props) {
  const iframe = useRef<HTMLIFrameElement>(null)
  const [isPhone, setPhone] = useState(false)
  const [loads, setLoads] = useState(0)
  const src = `${address}&edition=${edition}`
  const [loaded, setLoaded] = useState('')
  const listen = usePressedText(iframe, onPress)
  useShownText(iframe, shown, loads)
  return (
    <div className="words__page">
      <div className="words__pagebar">
        <p className="second">Press any text on the page to change it.</p>
        <Button look="line" isSmall icon="phone" aria-pressed={isPhone} onClick={() => setPhone(!isPhone)}>
          Phone view
        </Button>
      </div>
      <iframe
        ref={iframe}
        title="The page with your draft"
        className={isPhone ? 'words__frame words__frame--phone' : 'words__frame'}
        src={src}
        // Until we listen, a press would be lost, or a link would lead away.
        inert={loaded !== src}
        onLoad={() => {
          listen()
          setLoaded(src)
          setLoads((count) => count + 1)
        }}
      />
    </div>
  )
}

/** Works because the iframe is same-origin. Restores the scroll position after a reload. */
function usePressedText(iframe: RefObject<HTMLIFrameElement | null>, onPress: (name: string) => void) {
  const scrolledTo = useRef(0)
  const press = useEffectEvent((name: string) => onPress(name))
  return () => {
    const page = iframe.current?.contentDocument
    const view = iframe.current?.contentWindow
    if (!page || !view) return
    // The iframe runs no scripts, so the one that does this on the site doesn't run there.
    for (const logo of page.querySelectorAll<HTMLImageElement>('.brand img')) markWideLogo(logo)
    view.scrollTo(0, scrolledTo.current)
    view.addEventListener('scroll', () => {
      scrolledTo.current = view.scrollY
    })
    page.addEventListener('submit', (event) => event.preventDefault(), true)
    page.addEventListener(
      'click',
      (event) => {
        event.preventDefault()
        const name = nameAt(event.target)
        if (name !== null) press(name)
      },
      true,
    )
    page.addEventListener('mouseover', ({ target }) => {
      if (isElement(target) && target.childElementCount === 0 && nameAt(target) !== null)
        target.style.cursor = 'pointer'
    })
  }
}

/** `instanceof` fails for elements of another document. */
const isElement = (target: EventTarget | null): target is HTMLElement =>
  target !== null && 'textContent' in target && 'style' in target

/** The mark of the pressed text, or of the nearest text up to three parents above. */
export function nameAt(target: EventTarget | null): string | null {
  let element = isElement(target) ? target : null
  for (let step = 0; element !== null && step < 4; step += 1) {
    const [name] = marksIn(element.textContent ?? '')
    if (name !== undefined) return name
    element = element.parentElement
  }
  return null
}

const ring = '3px solid var(--carbon)'

/** Rings the text being edited and scrolls to it once; after that the iframe stays where the owner scrolled. */
function useShownText(iframe: RefObject<HTMLIFrameElement | null>, shown: string | null, loads: number) {
  const seen = useRef<string>(undefined)
  useEffect(() => {
    const page = iframe.current?.contentDocument
    const view = iframe.current?.contentWindow
    if (!page?.body || !view || shown === null || loads === 0) return
    const element = elementWith(page, shown)
    if (element === null) return
    element.style.outline = ring
    element.style.outlineOffset = '3px'
    const { top } = element.getBoundingClientRect()
    // Unlike `scrollIntoView`, this doesn’t scroll the page around the iframe.
    if (seen.current !== shown) view.scrollTo(0, view.scrollY + top - view.innerHeight / 3)
    seen.current = shown
    return () => {
      element.style.outline = ''
    }
  }, [iframe, shown, loads])
}

/** The first element whose own text has this mark, or the mark of a part of it. */
function elementWith(page: Document, name: string): HTMLElement | null {
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode
    const isShown = marksIn(textContent ?? '').some((one) => one === name || one.startsWith(`${name}.`))
    if (isShown && parentElement !== null) return parentElement
  }
  return null
}

/** The email with its draft, made out to a fictional member. The test goes to the owner who sends it. */
export function MailPreview({ kind, edition }: { kind: MailKind; edition: number }) {
  const { data } = useQuery(mailTextsQuery(edition))
  const action = useAdminAction({
    schema: MailTextTest,
    send: () => api.api.admin['mail-words']({ kind }).test.post(),
    failure: 'We couldn’t send the test email.',
    done: ({ to }) => ({ title: 'On its way', description: `The test goes to ${to}.` }),
  })
  return (
    <div className="words__page">
      <div className="words__pagebar">
        <p>
          <span className="label">Subject</span> {data?.find((mail) => mail.kind === kind)?.subject}
        </p>
        <Button
          look="line"
          isSmall
          icon="mail"
          isBusy={action.isPending}
          busyLabel="Sending…"
          onClick={() => action.mutate()}
        >
          Send me a test
        </Button>
        {action.problem && <p role="alert">{action.problem}</p>}
      </div>
      <iframe
        title="The email with your draft"
        className="words__frame"
        sandbox="allow-same-origin"
        src={`/api/admin/mail-words/${kind}?edition=${edition}`}
      />
    </div>
  )
}
