export const pricing = `
<p>Ask ten tradesmen how they price and most will tell you the same thing: they know roughly what the job goes for round here, and they land near it. That isn't a price. It's a guess at someone else's guess, and they may be going under. A proper price starts from your own figures, and you only have to work them out once a year.</p>
<h2>What a year costs you</h2>
<p>Take last year's bank statements and add up everything that goes out whether the phone rings or not. A one-van business might look like this.</p>
<table>
<thead><tr><th scope="col">Cost of a year</th><th class="end" scope="col">£</th></tr></thead>
<tbody>
<tr><td>Van: finance, fuel, tax, repairs</td><td class="end">6,500</td></tr>
<tr><td>Phone, software, accountant</td><td class="end">2,400</td></tr>
<tr><td>Tools and test gear</td><td class="end">1,800</td></tr>
<tr><td>Advertising</td><td class="end">1,500</td></tr>
<tr><td>Insurance</td><td class="end">900</td></tr>
<tr><td>Training and registrations</td><td class="end">900</td></tr>
<tr><td>A wage for you</td><td class="end">40,000</td></tr>
<tr><th scope="row">Total</th><td class="end">54,000</td></tr>
</tbody>
</table>
<p>Put your wage in with the rest. If the business can't pay you what you'd earn working for someone else, you don't own a business. You own a job with extra paperwork.</p>
<h2>The hours you can really sell</h2>
<p>No one sells 52 weeks. Take off holidays, bank holidays and a week for being ill or on a course, and about 45 weeks are left. At 40 hours that's 1,800 hours. Now take off quoting, driving, the merchant's counter and the books. For most people a third goes there. That leaves about 1,200 hours to sell.</p>
<p><strong>£54,000 divided by 1,200 hours is £45 an hour.</strong> That isn't your charge. It's what an hour costs before the business has made a penny.</p>
<h2>Add profit, not hope</h2>
<p>Profit is what pays for the next van, the quiet month and the customer who goes bust. Say you want 15 pence in every pound. Don't add 15% to £45: that gives you less than you think, because 15% of your cost is only about 13% of your price. Divide instead. £45 divided by 0.85 is £52.94, so charge £53.</p>
<p>The same trap catches people on materials. Marking up by 20% leaves a margin of just under 17%. Both are fine, as long as you know which one you mean.</p>
<h2>Build the price of the job</h2>
<ol>
<li><strong>Labour.</strong> Write down the hours by stage, including setting up, clearing away and the second visit. 24 hours at £53 is £1,272.</li>
<li><strong>Materials.</strong> £640 at cost plus 20% is £768. You fetched them, you stand behind them, you replace the faulty one for nothing.</li>
<li><strong>Everything else.</strong> Skip, hire, parking, permits: £90.</li>
<li><strong>What you can't see.</strong> 5% for small surprises is £106.50. Big ones aren't a percentage. They go in the quote as a line that says what isn't included.</li>
</ol>
<p>That makes £2,236.50, plus VAT if you're registered. If your gut says the job goes for £1,800 round here, you've just learnt something worth an evening: either the job takes you too long, or it isn't your job.</p>
<h2>Then check yourself</h2>
<p>When the job is done, write the real hours beside the ones you quoted. Do it for ten jobs and a pattern will show, and it's usually the same stage each time. Fix that number in your next quote. Within a few months you'll quote from evidence, and you'll stop dropping your price because someone went quiet on the phone.</p>
<p>If you'd like someone to go through your figures with you, that's what <a href="/coaching">coaching</a> is for.</p>
`
