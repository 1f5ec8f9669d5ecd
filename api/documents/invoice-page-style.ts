/** The site's own face, from where the build put it. */
const faceFrom = (address: string) =>
  `@font-face { font-family: "Archivo"; src: url("${address}") format("woff2"); font-weight: 400 900; font-stretch: 62% 125%; }`

/** The style of a document on screen and on paper. `font` is the address of the site's face, if the site is built. */
export const pageStyle = (font: string | null) => `${font === null ? '' : faceFrom(font)}${style}`

/** The colours are those of the site's tokens; a test compares them. */
const style = `
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
.top, .parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1.5rem 3rem; }
.parties { margin-block: 2.25rem; }
h1 { font-size: clamp(2.25rem, 1.6rem + 3vw, 3.25rem); font-weight: 800; font-stretch: 62%; line-height: 0.95; text-transform: uppercase; border-inline-start: 10px solid var(--hivis); padding-inline-start: 0.75rem; align-self: start; }
h2 { font-size: 0.9375rem; font-weight: 640; font-stretch: 116%; color: var(--ink-2); }
.lines { white-space: pre-line; }
.facts { display: grid; gap: 0.6rem; align-content: start; }
dt { font-size: 0.9375rem; font-weight: 640; font-stretch: 116%; color: var(--ink-2); }
dd { font-weight: 680; }
table { width: 100%; border-collapse: collapse; font-size: 1rem; line-height: 1.35; font-variant-numeric: tabular-nums; }
th { text-align: start; font-size: 0.9375rem; font-weight: 640; color: var(--ink-2); border-block-end: 4px solid var(--ink); padding: 0.5rem 0.75rem 0.5rem 0; }
td { padding: 0.75rem 0.75rem 0.75rem 0; border-block-end: 1px solid var(--rule); vertical-align: top; }
th:not(:first-child), td:not(:first-child) { text-align: end; padding-inline-end: 0; padding-inline-start: 1.25rem; white-space: nowrap; }
td small { display: block; font-size: 0.9375rem; color: var(--ink-2); }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; border-block-end: 1px solid var(--rule); padding-block: 0.5rem; }
  tbody { display: block; border-block-start: 4px solid var(--ink); }
  table { display: block; }
  td, td:not(:first-child) { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0.3rem 0; text-align: end; white-space: normal; }
  td:first-child { display: block; text-align: start; font-weight: 640; }
  td[data-l]::before { content: attr(data-l); color: var(--ink-2); text-align: start; }
}
.totals { margin: 1.25rem 0 0 auto; max-width: 24rem; font-variant-numeric: tabular-nums; }
.totals div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding-block: 0.5rem; border-block-end: 1px solid var(--rule); }
.totals dt { font-size: 1rem; font-weight: 440; font-stretch: 100%; color: inherit; }
.totals .total { border-block-start: 4px solid var(--ink); border-block-end: 0; padding-block-start: 0.8rem; }
.totals dd { white-space: nowrap; }
.totals .total dt { font-weight: 720; line-height: 1.15; }
.totals .total dd { font-size: 2.75rem; font-stretch: 62%; font-weight: 800; line-height: 0.85; }
.remarks { margin-block-start: 2.25rem; display: grid; gap: 0.4rem; font-size: 1rem; color: var(--ink-2); }
.since { margin-block-start: 2.25rem; border-block-start: 1px solid var(--rule); padding-block-start: 1rem; }
.since ul { margin: 0.5rem 0 0; padding-inline-start: 1.25rem; }
.since a { display: inline-block; padding-block: 0.35rem; }
@page { size: A4; margin: 18mm; }
@media print {
  :root { color-scheme: light; }
  body { background: #fff; color: #000; font-size: 11pt; }
  .bar, .since { display: none; }
  .sheet { max-width: none; margin: 0; padding: 0; box-shadow: none; background: #fff; }
  h1 { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .top, .parties { grid-template-columns: 1fr 1fr; }
  tr, .totals { break-inside: avoid; }
}
`
