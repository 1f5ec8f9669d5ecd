export const tools = `
<p>You're good at the work. That's why you started, and it's why customers ask for you by name. It's also what keeps the business exactly as big as your own two hands. At some point every hour you spend on the tools is an hour in which no one quotes, no one trains the lad and no one looks at the figures. Letting go isn't about being too good for the van. It's about deciding which work only you can do.</p>
<h2>Find out where your week goes</h2>
<p>For two weeks, write down what you did every hour. A notebook on the dashboard will do. Then go through it with two pens. Mark in one colour what only you can do: meeting big customers, pricing, hiring, deciding. Mark in the other what someone else could do, even if not as well yet. Nearly everyone finds more of the second colour than they expected.</p>
<h2>Hand over in this order</h2>
<ol>
<li><strong>Paperwork first.</strong> A bookkeeper for a few hours a month costs less than your evenings, and will do it better.</li>
<li><strong>Then fetching and carrying.</strong> Merchants deliver. Every trip to the counter is an hour you paid full rate for.</li>
<li><strong>Then repeat work.</strong> The service, the standard fit, the job you could do asleep: it's the easiest to teach and to check.</li>
<li><strong>The clever work last.</strong> Fault-finding and the awkward jobs stay with you until someone has earned them.</li>
</ol>
<p>Most people try it the other way round. They keep the simple jobs because they're quick and pleasant, hand over something hard, watch it go wrong, and conclude that no one can be trusted.</p>
<h2>Write down what good looks like</h2>
<p>The standard lives in your head, and no one can work to a standard they can't see. Take one job you do every week and write it on one page: what to bring, the steps in order, the three things that go wrong, and the photographs you want at the end. Don't make a manual. Make a checklist that a decent tradesman can follow on his first day with you, then let him tell you what is missing.</p>
<blockquote><p>If it isn't written down, you've not handed it over. You've only hoped.</p></blockquote>
<h2>Check the work, not the man</h2>
<p>For the first month look at every job, either in person or by photographs sent before he leaves the site. Give one thing to keep and one thing to change, the same day. After a month look at every third job, then at a few. Expect him to take half as long again at first. Price for that, so that you aren't standing behind him with a stopwatch.</p>
<p>There will be mistakes, and some will cost you. Decide beforehand what a mistake may cost while someone learns, and treat it as training. Compare it with what it costs you to be needed everywhere.</p>
<h2>One day first</h2>
<p>Don't come off the tools. Come off them on Fridays. Take one day a week, the same one, and put in it what only you can do: quotes, calls, figures, the plan for next week. Defend it like a booking with your best customer. When that day pays for itself, and it usually does in better quotes alone, take the next.</p>
<p>You'll miss the work some days. Keep a job for yourself now and then, because you like it. That's different from having no choice.</p>
`
