/** A wide logo has the name in it, so the name next to it is only read aloud. */
export function markWideLogo(logo: HTMLImageElement): void {
  if (logo.naturalWidth > 2.5 * logo.naturalHeight) logo.classList.add('wide')
}
