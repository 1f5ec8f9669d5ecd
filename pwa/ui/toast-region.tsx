import { Toast } from 'radix-ui'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import './styles/toast.css'

export type ToastTone = 'plain' | 'ok' | 'bad'

export type ToastMessage = {
  title: ReactNode
  description?: ReactNode
  tone?: ToastTone
  /** In milliseconds; 5000 by default. */
  duration?: number
}

/** `shownAt` in milliseconds since 1970. */
export type ShownToast = ToastMessage & { id: number; edge: 'top' | 'bottom'; shownAt: number }

const toneIcon: Record<ToastTone, IconName> = { plain: 'sync', ok: 'tick', bad: 'warn' }

/** Below the site's header, as far as that is on the screen. */
function topOffset(): CSSProperties {
  const top = Math.max(0, document.getElementById('main')?.getBoundingClientRect().top ?? 0)
  const offset: Record<`--${string}`, string> = { '--toast-top': `${top}px` }
  return offset
}

/** The notification area: one message, F8 focuses it, a swipe of 50 to the right takes it away. */
const ToastRegion = ({ shown }: { shown: ShownToast }) => (
  <Toast.Provider swipeDirection="right" swipeThreshold={50} duration={5000} label="Notification">
    <OneToast key={shown.id} shown={shown} />
    <Toast.Viewport
      className={classNames('toasts', shown.edge === 'top' && 'toasts--top')}
      style={topOffset()}
      hotkey={['F8']}
    />
  </Toast.Provider>
)

function OneToast({ shown: { title, description, tone = 'plain', duration } }: { shown: ShownToast }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <Toast.Root
      className={classNames('toast', tone !== 'plain' && `toast--${tone}`)}
      open={isOpen}
      onOpenChange={setOpen}
      duration={duration}
    >
      <Icon name={toneIcon[tone]} />
      <div>
        <Toast.Title asChild>
          <b>{title}</b>
        </Toast.Title>
        {description && (
          <Toast.Description asChild>
            <p>{description}</p>
          </Toast.Description>
        )}
      </div>
      <Toast.Close asChild>
        <IconButton icon="cross" label="Close" />
      </Toast.Close>
    </Toast.Root>
  )
}

export default ToastRegion
