import { type BrandColours, inBrandColours } from '#shared/values/brand-colours.ts'

export type PageStyle = { css: string; policy: string }

/** `font` is the CSS rules for the font's files. Empty without a build. */
export type PageLook = { font: string; colours: BrandColours }

/** The style of a page without scripts, and a CSP just for it: this style by hash, the site's font, `more`, and nothing else. */
export function pageStyle({ font, colours }: PageLook, ownCss: string, more: readonly string[] = []): PageStyle {
  const css = inBrandColours(`${font}${baseCss}${ownCss}`, colours)
  const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64')
  const policy = [
    ...[`default-src 'none'`, `style-src 'sha256-${hash}'`, `font-src 'self'`, `img-src 'self'`],
    ...[`base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`, ...more],
  ]
  return { css, policy: policy.join('; ') }
}

export type PlainPage = {
  title: string
  /** The links at the top, with a name for screen readers. */
  bar: { name: string; links: readonly { label: string; href: string }[] }
  /** HTML. */
  main: string
  /** What the browser loads after a second. */
  next?: string | undefined
}

/** A page in the site's look, without scripts and hidden from search engines. */
export const plainPage = (css: string, { title, bar, main, next }: PlainPage) => `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">${next === undefined ? '' : `\n<meta http-equiv="refresh" content="1;url=${escapeText(next)}">`}
<title>${escapeText(title)}</title>
<style>${css}</style>
</head>
<body>
<header class="bar"><nav aria-label="${escapeText(bar.name)}">${bar.links.map(({ label, href }) => `<a href="${escapeText(href)}">${escapeText(label)}</a>`).join('')}</nav></header>
<main class="sheet">
${main}</main>
</body>
</html>
`

export const escapeText = (plain: string) => Bun.escapeHTML(plain)

/** The site's colour tokens. A test compares them. */
const baseCss = `
:root {
  color-scheme: light dark;
  --bench: light-dark(#eceee6, #10110d);
  --sheet: light-dark(#ffffff, #1a1c16);
  --ink: light-dark(#151612, #f2f3ea);
  --ink-2: light-dark(#41443b, #c0c4b6);
  --rule: light-dark(#c9cec2, #3a3e34);
  --hivis: #ffdc00;
  --carbon: light-dark(#173f9e, #a5bdff);
  --focus: light-dark(#173f9e, #ffdc00);
  --copy-yellow: light-dark(#fff1a3, #2d2a0e);
  --copy-pink: light-dark(#ffd8dd, #371d22);
}
@supports not (color: light-dark(#fff, #000)) {
  :root { --bench: #eceee6; --sheet: #fff; --ink: #151612; --ink-2: #41443b; --rule: #c9cec2; --carbon: #173f9e; --focus: #173f9e; --copy-yellow: #fff1a3; --copy-pink: #ffd8dd; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bench); color: var(--ink); font: 440 1.125rem/1.5 "Archivo", "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, p, dl, dd { margin: 0; }
a { color: var(--carbon); font-weight: 600; text-decoration-thickness: 2px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 4px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
.bar { color-scheme: dark; background: #151612; --carbon: #f2f3ea; --focus: var(--hivis); }
.bar nav { max-width: 52rem; margin-inline: auto; padding-inline: clamp(1rem, 3vw, 2rem); display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; }
.bar a { display: inline-flex; align-items: center; min-height: 3.5rem; }
.sheet { max-width: 52rem; margin: clamp(1rem, 4vw, 3rem) auto 4rem; padding: clamp(1.25rem, 4vw, 3rem); background: var(--sheet); box-shadow: 6px 6px 0 var(--copy-yellow), 12px 12px 0 var(--copy-pink); }
@media (max-width: 54rem) { .sheet { margin-inline: 1rem; margin-inline-end: 1.75rem; } }
h1 { font-size: clamp(2.25rem, 1.6rem + 3vw, 3.25rem); font-weight: 800; font-stretch: 62%; line-height: 0.95; text-transform: uppercase; border-inline-start: 10px solid var(--hivis); padding-inline-start: 0.75rem; align-self: start; }
h2 { font-size: 0.9375rem; font-weight: 640; font-stretch: 116%; color: var(--ink-2); }
`
