export const paid = `
<p>Most late payers aren't crooks. They're busy, they were never told when to pay, and no one has asked. That's good news, because all three are in your hands. You don't need to become a hard man. You need a system that runs the same way every time, so that asking for money is never personal.</p>
<h2>Agree it before you start</h2>
<p>Put four lines on every quote, above the place where the customer says yes:</p>
<ul>
<li>what you need up front, and what for;</li>
<li>which stages are paid when, on any job longer than a week;</li>
<li>how many days the last invoice gives them;</li>
<li>how to pay, with the bank details and the reference to use.</li>
</ul>
<p>A deposit for materials is fair: you aren't your customer's bank. On longer jobs match the stages to something they can see, such as first fix done, boiler in, tiling finished. No one argues about paying for what is standing in front of them.</p>
<h2>Send the invoice from the drive</h2>
<p>The best moment to be paid is when the customer is looking at finished work and is pleased with it. Every day you wait, the bill gets bigger in their mind and the work gets smaller. Don't leave invoices for Sunday. Send it before you start the engine, and say so at the door: "That's the invoice on its way, it's due on the 14th."</p>
<p>Give a date, not a number of days. "Payment due 14 March" is read. "Terms: 14 days net" isn't.</p>
<h2>Chase like a calendar</h2>
<p>Write four short messages once and use them for good. Same words, same days, whoever it is.</p>
<table>
<thead><tr><th scope="col">When</th><th scope="col">What you send</th></tr></thead>
<tbody>
<tr><td>Two days before</td><td>A friendly note: the invoice, the date, the bank details again.</td></tr>
<tr><td>One day late</td><td>"This was due yesterday. Could you let me know when it will be paid?"</td></tr>
<tr><td>A week late</td><td>A phone call. Ask whether something was wrong with the work, then ask for a date.</td></tr>
<tr><td>Two weeks late</td><td>A letter that names the sum, a last date, and what you'll do after it.</td></tr>
</tbody>
</table>
<p>The phone call matters most. If something is wrong with the job, you want to know now, and putting it right is the quickest way to your money. If nothing is wrong, you'll come away with a date, and people keep dates that they named themselves.</p>
<h2>What the law gives you</h2>
<p>When your customer is a business, you may charge interest on late payment of 8% a year above the Bank of England base rate, plus a fixed sum for your trouble: £40 on debts below £1,000, £70 up to £9,999.99 and £100 from £10,000. You can claim it even if your terms say nothing. Householders are different: there you can only charge what they agreed to beforehand, which is one more reason to put terms on the quote.</p>
<p>If the letter brings nothing, the county court takes small claims up to £10,000 in England and Wales, and you can start one online. Scotland and Northern Ireland have their own courts and lower limits. Many debts are paid in the week the papers arrive. Keep the quote, the yes, photographs and your messages together from the first day, and it's an hour's work. For a large sum, ask a solicitor first.</p>
<h2>Start with one change</h2>
<p>If you do only one thing this week, list everyone who owes you money, with the date it was due, and ring the oldest. Then do the next. An hour on the phone is often the best-paid hour of the month.</p>
`
