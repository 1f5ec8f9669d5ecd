import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

type IconAnchorProps = Omit<ComponentProps<'a'>, 'children'> & { icon: IconName; label: string }

const IconAnchor = ({ icon, label, className, href, ...rest }: IconAnchorProps) => (
  <a {...rest} href={href} className={classNames('iconbtn', className)} aria-label={label}>
    <Icon name={icon} />
  </a>
)

/** A link to one of the site's own pages with only an icon. */
export const IconLink = createLink(IconAnchor)
