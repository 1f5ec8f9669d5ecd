import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { isSecondPress } from './use-one-press.ts'

/** `ink` is the main button; `line` the second choice; `bare` underlined; `hivis` on dark pictures; `bad` destroys. */
export type ButtonLook = 'ink' | 'line' | 'bare' | 'hivis' | 'picked' | 'bad'

type Style = {
  look?: ButtonLook
  icon?: IconName
  second?: ReactNode
  isSmall?: boolean
  isWide?: boolean
}

const classOf = ({ look = 'ink', isSmall, isWide }: Style, className?: string) =>
  classNames('btn', look !== 'ink' && `btn--${look}`, isSmall && 'btn--sm', isWide && 'btn--wide', className)

const ButtonLabel = ({ icon, second, children }: Pick<Style, 'icon' | 'second'> & { children: ReactNode }) => (
  <>
    <span>
      {children}
      {second && (
        <>
          {' '}
          <small>{second}</small>
        </>
      )}
    </span>
    {icon && <Icon name={icon} />}
  </>
)

export type ButtonProps = ComponentProps<'button'> & Style & { isBusy?: boolean; busyLabel?: string }

/**
 * A button. While `isBusy` it says `busyLabel`, its tab moves, and you can't press it again. A double-click on one that can be busy
 * is one press: the second may come before the first has made it busy.
 */
export const Button = ({
  look,
  icon,
  second,
  isSmall,
  isWide,
  isBusy,
  busyLabel,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={classOf({ look, isSmall, isWide }, className)}
    aria-busy={isBusy || undefined}
    onClick={(event) =>
      isBusy || (isBusy === false && isSecondPress(event)) ? event.preventDefault() : onClick?.(event)
    }
  >
    <ButtonLabel icon={icon} second={isBusy ? undefined : second}>
      {isBusy && busyLabel ? busyLabel : children}
    </ButtonLabel>
  </button>
)

export type ButtonAnchorProps = ComponentProps<'a'> & Style

export const ButtonAnchor = ({
  look,
  icon,
  second,
  isSmall,
  isWide,
  className,
  children,
  ...rest
}: ButtonAnchorProps) => (
  <a {...rest} className={classOf({ look, isSmall, isWide }, className)}>
    <ButtonLabel icon={icon} second={second}>
      {children}
    </ButtonLabel>
  </a>
)

/** A link to one of the site's own pages, in the shape of a button: `<ButtonLink to="/members" icon="arrow">`. */
export const ButtonLink = createLink(ButtonAnchor)

/** A square button with only an icon; `label` is its name. */
export const IconButton = ({
  icon,
  label,
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { icon: IconName; label: string }) => (
  <button type="button" {...rest} className={classNames('iconbtn', className)} aria-label={label}>
    <Icon name={icon} />
  </button>
)
