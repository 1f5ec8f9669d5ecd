import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { useOnePress } from './use-one-press.ts'
import './styles/tabs.css'

type Props = { label: string; className?: string; children: ReactNode }

/** Folder tabs on a heavy line; its children are TabLinks. */
export const Tabs = ({ label, className, children }: Props) => (
  <nav className={className ? `tabs ${className}` : 'tabs'} aria-label={label}>
    {children}
  </nav>
)

const TabAnchor = (props: ComponentProps<'a'>) => <a {...props} />

/** One tab; the router marks the current one with `aria-current`. */
export const TabLink = createLink(TabAnchor)

/** The dock of a page behind the login, where a double press is one press. */
export function BottomTabs({ label, className, children }: Props) {
  useOnePress()
  return (
    <nav className={className ? `dock ${className}` : 'dock'} aria-label={label}>
      {children}
    </nav>
  )
}

const BottomTabAnchor = ({ icon, children, ...rest }: ComponentProps<'a'> & { icon: IconName }) => (
  <a {...rest}>
    <Icon name={icon} />
    {children}
  </a>
)

export const BottomTabLink = createLink(BottomTabAnchor)
