import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

type Props = ComponentProps<'a'> & {
  /** On its own, so it needs a target of 48. */
  isTap?: boolean
}

/** A blue, underlined link to another site, a file or a place on the page. */
export const TextAnchor = ({ isTap, className, children, ...rest }: Props) => (
  <a {...rest} className={classNames('link', isTap && 'link--tap', className)}>
    {children}
  </a>
)

/** A blue, underlined link to one of the site's own pages. */
export const TextLink = createLink(TextAnchor)
