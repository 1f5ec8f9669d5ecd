import { classNames } from './class-names.ts'
import { type IconName, iconPaths } from './icon-paths.ts'

type Props = { name: IconName; className?: string }

/** One icon of the page's sprite. Always use it next to a word, or inside something with an `aria-label`. */
export const Icon = ({ name, className }: Props) => (
  // The sizes are for browsers that read no layers, and so none of our styles.
  <svg
    className={classNames('i', className)}
    width="24"
    height="24"
    viewBox="0 0 24 24"
    aria-hidden="true"
    focusable="false"
  >
    <use href={`#i-${name}`} />
  </svg>
)

/** The mark: an A-frame level with a plumb line hanging true. */
export const Mark = () => (
  <svg width="48" height="48" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <use href="#mark" />
  </svg>
)

/** The sprite every Icon refers to; the page includes it once. */
export const IconSprite = () => (
  <svg width="0" height="0" className="sprite" aria-hidden="true" focusable="false">
    {Object.entries(iconPaths).map(([name, path]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        {name === 'play' ? <path d={path} fill="currentColor" stroke="none" /> : <path d={path} />}
      </symbol>
    ))}
    <symbol id="mark" viewBox="0 0 48 48">
      <path fill="var(--hivis)" d="M0 0h48v48H0z" />
      <path fill="#151612" d="M20.4 5h7.2L44 43h-8.6l-3.3-8H15.9l-3.3 8H4zM24 14.8 18.7 28.2h10.6z" />
      <path fill="#151612" d="M23.2 12h1.6v19h-1.6z" />
      <path fill="var(--hivis)" d="M24 29.3l3.7 4.2-3.7 9.5-3.7-9.5z" stroke="#151612" strokeWidth="2.2" />
    </symbol>
  </svg>
)
