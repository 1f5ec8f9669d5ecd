import { type PageLook, type PageStyle, pageStyle, plainPage, escapeText as text } from './plain-page.ts'

export type ApiField = { name: string; isRequired: boolean; holds: string }

export type ApiOperation = {
  id: string
  method: string
  path: string
  sentence: string
  who: string
  /** When the owner has to have entered it, or null. */
  password: string | null
  /** What it may be called in the owners' log. */
  log: readonly string[]
  /** What a program's token has to allow. Null if the call needs none. */
  token: 'read' | 'write' | null
  parameters: readonly ApiField[]
  body: { type: string; fields: readonly ApiField[]; example: string | null } | null
  /** An `example` is JSON. Null for a page, a file or nothing. */
  answers: readonly { status: string; example: string | null }[]
  errors: readonly string[]
  curl: string
}

export type ApiReference = {
  address: string
  groups: readonly { id: string; name: string; about: string; operations: readonly ApiOperation[] }[]
  errors: readonly { code: string; status: number; meaning: string }[]
}

export const apiPageStyle = (look: PageLook): PageStyle => pageStyle(look, apiCss)

export const apiPage = ({ css }: PageStyle, { address, groups, errors }: ApiReference): string =>
  plainPage(css, {
    title: 'API',
    bar: {
      name: 'API',
      links: [
        { label: 'To the site', href: '/' },
        { label: 'OpenAPI document', href: '/api/docs/json' },
      ],
    },
    main: `<h1>API</h1>
<div class="frame">
<nav class="groups" aria-label="Groups"><ul>
<li><a href="#start">Start here</a></li>
${groups.map(({ id, name }) => `<li><a href="#${id}">${text(name)}</a></li>`).join('\n')}
<li><a href="#errors">Errors</a></li>
</ul></nav>
<div class="reference">
${introduction(address)}
${groups.map(groupSection).join('\n')}
<section id="errors"><h2>Errors</h2>
<p>Every error has a code for programs and a message for people. Any call can get any of them.</p>
<pre>${text(errorExample)}</pre>
<dl class="fields">${errors.map(({ code, status, meaning }) => `<div><dt><code>${status} ${code}</code></dt><dd>${text(meaning)}</dd></div>`).join('\n')}</dl>
</section>
</div>
</div>
`,
  })

const errorExample = JSON.stringify(
  {
    error: {
      code: 'invalid',
      message: 'Check the marked fields.',
      fields: { email: 'Fill in this field.' },
      requestId: '01977a3e-5c00-7a10-9c4e-2f6b8d1e0a35',
    },
  },
  null,
  2,
)

const introduction = (address: string) => `<section id="start">
<p class="lead">What the site, the app and the terminal can do, your own programs can do too.</p>
<dl class="facts">
<div><dt>Address</dt><dd><code>${text(address)}</code></dd></div>
<div><dt>Getting in</dt><dd>Owners make a token under Settings, or with <code>npx alliance tokens create</code>. Send it as <code>Authorization: Bearer …</code>. It needs “read” for every GET, and “change” for everything else. The calls below read it from <code>TOKEN</code>.</dd></div>
<div><dt>Bodies</dt><dd>JSON. Money is in whole pence, unless a field says pounds. Days are <code>2026-07-12</code>, times are UTC.</dd></div>
<div><dt>Long lists</dt><dd>Come in pages. The <code>Link</code> header has the address of the next one.</dd></div>
<div><dt>Schemas</dt><dd><a href="/api/docs/json">The OpenAPI document</a> has them all, for tools that make a client.</dd></div>
</dl>
</section>`

const groupSection = ({ id, name, about, operations }: ApiReference['groups'][number]) =>
  `<section id="${id}"><h2>${text(name)}</h2>
<p>${text(about)}</p>
${operations.map(operationPart).join('\n')}
</section>`

/** Closed until it's opened, or its address is followed. Find-in-page reads the sentence and the path of all of them. */
const operationPart = (operation: ApiOperation) => {
  const { id, method, path, sentence } = operation
  return `<details><summary><span class="method method--${method.toLowerCase()}">${method}</span> <code>${text(path)}</code> <span class="says">${text(sentence)}</span></summary>
<div class="open" id="${id}">
<dl class="facts">
<div><dt>Who</dt><dd>${text(operation.who)}</dd></div>
<div><dt>Token</dt><dd>${tokenNote(operation.token)}</dd></div>
${factPart('Password', operation.password)}${factPart('In the log', operation.log.join(' or '))}</dl>
${fieldList('In the address and headers', operation.parameters)}
${bodyPart(operation.body)}
<h3>Try it <small>Click to select it all</small></h3>
<pre class="whole">${text(operation.curl)}</pre>
${operation.answers.map(answerPart).join('\n')}
<h3>Errors</h3>
<p class="errors">${operation.errors.map((error) => `<code>${text(error)}</code> `).join('')}<a href="#errors">${operation.errors.length > 0 ? 'and the errors any call can return' : 'The errors any call can return'}</a></p>
<p class="here"><a href="#${id}">Link to this call</a></p>
</div></details>`
}

const factPart = (name: string, fact: string | null) =>
  fact ? `<div><dt>${name}</dt><dd>${text(fact)}</dd></div>\n` : ''

const tokenNote = (token: ApiOperation['token']) =>
  token === null ? 'None' : token === 'read' ? 'A token that reads' : 'A token that makes changes'

const bodyPart = (body: ApiOperation['body']): string =>
  body === null
    ? ''
    : `${fieldList('Body', body.fields)}
<h3>Example body <small>${text(body.type)}</small></h3>
<pre>${body.example === null ? 'The bytes of the file' : text(body.example)}</pre>`

const fieldList = (title: string, fields: readonly ApiField[]): string =>
  fields.length === 0
    ? ''
    : `<h3>${title}</h3>
<dl class="fields">${fields.map(({ name, isRequired, holds }) => `<div><dt><code>${text(name)}</code>${isRequired ? ' <b>required</b>' : ''}</dt><dd>${text(holds)}</dd></div>`).join('')}</dl>`

const answerPart = ({ status, example }: ApiOperation['answers'][number]): string =>
  example === null
    ? `<h3>Answer ${status}</h3>\n<p>${status === '204' ? 'Nothing is sent back.' : 'A page or a file.'}</p>`
    : `<h3>Answer ${status}</h3>\n<pre>${text(example)}</pre>`

const apiCss = `
.bar nav, .sheet { max-width: 84rem; }
@media (max-width: 86rem) { .sheet { margin-inline: 1rem; margin-inline-end: 1.75rem; } }
html { scroll-padding-block-start: 1rem; }
.groups { margin-block-start: 1rem; }
.groups ul { list-style: none; margin: 0; padding: 0; columns: 2; column-gap: 1rem; }
.groups a { display: flex; align-items: center; min-height: 3rem; line-height: 1.2; }
.groups li { break-inside: avoid; }
.reference { min-width: 0; margin-block-start: 2rem; }
@media (min-width: 64rem) {
  .frame { margin-block-start: 1.5rem; display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 3rem; align-items: start; }
  .groups { margin-block-start: 0; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 4px; }
  .groups ul { columns: 1; }
  .groups a { min-height: 2.25rem; }
  .reference { margin-block-start: 0; }
}
.lead { margin-block: 0 1rem; font-size: 1.25rem; }
section { margin-block-end: 3rem; }
section > h2 { margin-block-end: 0.25rem; font-size: 1.75rem; font-weight: 800; font-stretch: 82%; line-height: 1.1; color: var(--ink); }
section > h2 + p { margin-block-end: 1rem; color: var(--ink-2); }
section > pre { margin-block-end: 1rem; }
h3 { margin: 1.25rem 0 0.5rem; font-size: 0.9375rem; font-weight: 640; font-stretch: 116%; color: var(--ink-2); }
h3 small { font-size: inherit; font-weight: 440; }
details { border-block-start: 1px solid var(--rule); }
section > details:last-of-type { border-block-end: 1px solid var(--rule); }
details[open] { border-inline-start: 6px solid var(--hivis); padding-inline-start: 0.75rem; }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.75rem; min-height: 3rem; padding-block: 0.6rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::after { content: "+"; margin-inline-start: auto; font-weight: 700; }
[open] > summary::after { content: "\\2212"; }
summary:hover .says { text-decoration: underline; text-underline-offset: 0.2em; }
.says { order: 1; flex-basis: 100%; }
.method { min-width: 4.5rem; padding-inline: 0.4rem; border: 2px solid var(--ink); font-size: 0.8125rem; font-weight: 700; font-stretch: 116%; text-align: center; }
.method--get { border-color: var(--rule); }
.method--delete { background: var(--copy-pink); }
.method--post, .method--put, .method--patch { background: var(--copy-yellow); }
code, pre { font: 440 0.9375rem/1.5 ui-monospace, "Cascadia Mono", Consolas, monospace; }
summary code { flex: 0 1 auto; min-width: 0; max-width: calc(100% - 7.5rem); font-weight: 640; }
@media (max-width: 30rem) { summary code { order: 1; flex-basis: 100%; max-width: 100%; } }
pre { margin: 0; padding: 0.75rem 1rem; background: var(--bench); border: 1px solid var(--rule); white-space: pre-wrap; overflow-wrap: anywhere; }
.whole { user-select: all; -webkit-user-select: all; }
.open { padding-block-end: 1.5rem; scroll-margin-block-start: 6rem; }
.here { margin-block-start: 0.5rem; }
.here a { display: inline-flex; align-items: center; min-height: 3rem; }
.facts { display: grid; gap: 0.35rem; }
.facts > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 1rem; }
.fields > div { padding-block: 0.35rem; border-block-start: 1px solid var(--rule); }
dt { color: var(--ink-2); }
dt code { color: var(--ink); font-weight: 640; }
dt b { font-size: 0.8125rem; font-stretch: 116%; }
@media (min-width: 48rem) { .fields > div { display: grid; grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); gap: 0 1rem; } }
@media (max-width: 30rem) { .facts > div { grid-template-columns: minmax(0, 1fr); } }
.errors code { display: inline-block; margin-inline-end: 0.5rem; padding-inline: 0.4rem; background: var(--bench); }
`
