import { useState } from 'react'
import { tabStorage } from '#pwa/lib/storage.ts'
import type { StorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

type Line = { title: string; text: string; canReload?: true }

const nothingKept = 'Nothing’s saved on this phone, so you need signal.'

const lines: Record<StorageTrouble, Line> = {
  broken: {
    title: 'Your browser’s storage isn’t working',
    text: `${nothingKept} Restart your browser, or clear its data for this site.`,
  },
  blocked: {
    title: 'Another tab is in the way',
    text: `${nothingKept} Close our other tabs, then reload this one.`,
    canReload: true,
  },
  full: {
    title: 'There’s no room on this phone',
    text: 'Nothing new is saved, so you need signal. Once it’s all sent, free up some space and reload this page.',
    canReload: true,
  },
  old: {
    title: 'This tab’s out of date',
    text: 'You’ve opened a newer version in another tab. Reload this one to carry on.',
    canReload: true,
  },
  back: {
    title: 'Your browser’s storage is back',
    text: 'Reload this page to see what’s saved on this phone.',
    canReload: true,
  },
}

const linesHere: Partial<Record<StorageTrouble, Pick<Line, 'text'>>> = {
  full: { text: 'Free up some space. What you write or record here stays while this page is open.' },
}

const dismissedKey = 'storage-told'

type Props = {
  trouble: StorageTrouble
  /** It's a part of the page. A reload would lose a voice note that there's no room for. */
  isHere?: boolean
}

/** What this browser can't keep, and how to mend it. Once put away, a tab doesn't say it again. */
export default function StorageNotice({ trouble, isHere = false }: Props) {
  const [told, setTold] = useState(() => tabStorage.getItem(dismissedKey))
  if (told === trouble) return null
  const { title, text, canReload } = isHere ? { ...lines[trouble], ...linesHere[trouble] } : lines[trouble]
  const dismiss = () => {
    tabStorage.setItem(dismissedKey, trouble)
    setTold(trouble)
  }
  return (
    <Banner
      tone={trouble === 'back' ? 'plain' : 'bad'}
      role="status"
      title={title}
      action={
        <>
          {canReload && !isHere && (
            <Button isSmall onClick={() => window.location.reload()}>
              Reload
            </Button>
          )}
          <Button look="bare" isSmall onClick={dismiss}>
            OK
          </Button>
        </>
      }
    >
      {text}
    </Banner>
  )
}
