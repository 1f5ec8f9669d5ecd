import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

type Props = ComponentProps<'a'> & {
  /** On its own, so it needs a target of 48. */
  isTap?: boolean
}

export const TextAnchor = ({ isTap, className, children, ...rest }: Props) => (
  <a {...rest} className={classNames('link', isTap && 'link--tap', className)}>
    {children}
  </a>
)

export const TextLink = createLink(TextAnchor)
