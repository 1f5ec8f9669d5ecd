export const quotes = `
<p>If your quotes are written at the kitchen table after nine, you're giving away your evenings and losing work at the same time. The customer asked three people. The first clear answer often wins, even when it isn't the cheapest, because it says something about how the job will go. You can be that answer without working later. Write less, and write it sooner.</p>
<h2>Ask before you drive</h2>
<p>Half the slow quotes should never have been visits. Before you book one, ask five questions by phone or message: what is the job, where is it, when do they want it, can they send three photographs, and what do they hope to spend? The last one feels rude. It isn't. "Most jobs like this come out between £3,000 and £5,000. Is that roughly what you had in mind?" saves you both a wasted evening.</p>
<p>For small standard jobs you now know enough to send a price without going at all.</p>
<h2>Keep a list of things you've priced</h2>
<p>You don't price from nothing each time; you only write it out from nothing. Go through your last twenty quotes and pull out the pieces that come back: supply and fit a radiator, a double socket, a day's labouring, a skip. Put them in a list with a price for each. That list is worth more than any software, and any software you choose later will ask you for it.</p>
<p>Look at the list every three months and after every rise at the merchant's. Prices from two years ago are the quietest way there is to lose money.</p>
<h2>Three options, one page</h2>
<p>A single price invites one question: can you do it for less? Three prices invite a better one: which of these do I want?</p>
<ul>
<li><strong>Good:</strong> does what they asked for, properly.</li>
<li><strong>Better:</strong> what you'd do in your own house.</li>
<li><strong>Best:</strong> with the extras they'll wish they'd asked for.</li>
</ul>
<p>Each gets three or four lines and a price. Then one line on what isn't included, one on when you could start, one on how to pay, and how to say yes. Keep it to a page. If they want every fitting listed, send that once they've chosen.</p>
<h2>Write it before you leave</h2>
<p>Do the quote while the job is in front of you. Measure, photograph, sit in the van, fill in your page, send it. Fifteen minutes on the drive replaces an hour at night, because at night you first have to remember the house. If a price is missing, ring the merchant from the van. If you can't finish, send a line that says when it will come: "You'll have it by noon tomorrow." Then keep to it.</p>
<h2>Follow up twice</h2>
<p>Silence is rarely a no. It's a full inbox. Two days later: "Did the quote come through, and does anything need explaining?" A week later: "I'm filling the diary for next month. Shall I keep a place for you?" After that, leave it. Two messages that you wrote once will win you more work than another night of quoting.</p>
<h2>Count it</h2>
<p>Write down three numbers each month: quotes sent, quotes won, and hours from visit to sending. If you win nearly all of them, you're too cheap. If you win hardly any, look at who is asking before you touch the price. And if the third number comes down, the second usually goes up.</p>
<p>When you want the list, the options and the follow-ups in one place, have a look at <a href="/quotient">Quotient</a>, or hear how other people do it on the <a href="/podcast">podcast</a>.</p>
`
