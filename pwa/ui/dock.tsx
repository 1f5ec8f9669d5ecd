import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import './styles/tabs.css'

/** The members' tabs at the thumb, on a phone; its children are DockLinks. */
export const Dock = ({ label, className, children }: { label: string; className?: string; children: ReactNode }) => (
  <nav className={className ? `dock ${className}` : 'dock'} aria-label={label}>
    {children}
  </nav>
)

const DockAnchor = ({ icon, children, ...rest }: ComponentProps<'a'> & { icon: IconName }) => (
  <a {...rest}>
    <Icon name={icon} />
    {children}
  </a>
)

/** One tab of the dock; the router marks the current one with `aria-current`. */
export const DockLink = createLink(DockAnchor)
