import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import './styles/tabs.css'

/** Folder tabs on a heavy line; its children are TabLinks. */
export const Tabs = ({ label, className, children }: { label: string; className?: string; children: ReactNode }) => (
  <nav className={className ? `tabs ${className}` : 'tabs'} aria-label={label}>
    {children}
  </nav>
)

const TabAnchor = (props: ComponentProps<'a'>) => <a {...props} />

/** One tab; the router marks the current one with `aria-current`. */
export const TabLink = createLink(TabAnchor)
