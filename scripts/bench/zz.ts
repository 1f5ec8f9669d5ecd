import { openHouse } from './house.ts'
import { inBrowser, waitForWorker } from './browser.ts'
import { startProduct, whileRunning } from './programs.ts'
const house=await openHouse()
const rate=Number(process.argv[2]??4)
await inBrowser(async b=>{let url='';let c:any
 await whileRunning(startProduct(house.copy()),async s=>{
 url=s.url.replace('127.0.0.1','localhost')+'/members'
 c=await b.newContext({viewport:{width:390,height:844},deviceScaleFactor:2}); const [name='',value='']=house.cookie.split('=')
 await c.addCookies([{name,value,url}]); const p=await c.newPage()
 await p.goto(url); await p.locator('li.row').first().waitFor(); await waitForWorker(p)
  const cl=p.locator('details:not([open]) > summary'); await p.waitForTimeout(500)
  while(await cl.count()>0){await cl.first().click(); await p.waitForTimeout(100)}
  await p.reload(); await p.locator('li.row').nth(133).waitFor(); await p.close()
 })
 await c.setOffline(true)
 for(let i=0;i<4;i++){const p=await c.newPage();const d=await c.newCDPSession(p); await d.send('Emulation.setCPUThrottlingRate',{rate})
  await p.addInitScript((css)=>{const M:any=(window as any).M={tx:[],mut:[]};
   if(css)document.addEventListener('DOMContentLoaded',()=>{const s=new CSSStyleSheet();s.replaceSync(css);document.adoptedStyleSheets.push(s)})
   const look=()=>{const n=document.querySelectorAll('li.row').length;if(n!==M.last){M.last=n;M.mut.push([n,performance.now()|0])};if(n<134)return requestAnimationFrame(look);M.rows=performance.now()|0;requestAnimationFrame(()=>setTimeout(()=>{M.painted=performance.now()|0}))};requestAnimationFrame(look)
   const t=IDBDatabase.prototype.transaction; IDBDatabase.prototype.transaction=function(this:any,...a:any[]){const x=(t as any).apply(this,a);const e:any=[this.name.slice(9,15),String(a[0]),a[1]??'ro',performance.now()|0];M.tx.push(e);x.addEventListener('complete',()=>e.push(performance.now()|0));return x} as any
   new PerformanceObserver(l=>{for(const e of l.getEntries())(M.long??=[]).push([e.startTime|0,e.duration|0])}).observe({type:'longtask',buffered:true})
  },process.argv[3]??'')
  await p.goto(url,{waitUntil:'commit'}); await p.waitForFunction(()=>(window as any).M.painted,null,{polling:100}); await p.waitForTimeout(300)
  const r:any=await p.evaluate(()=>({M:(window as any).M,fcp:performance.getEntriesByName('first-contentful-paint')[0]?.startTime|0,js:performance.getEntriesByType('resource').filter(r=>/\.js$/.test(r.name)).map((r:any)=>[r.name.split('/').pop()!.slice(0,12),r.startTime|0,r.responseEnd|0]).slice(0,7)}))
  if(i>0)console.log('painted',r.M.painted,'rows',r.M.rows,'fcp',r.fcp,'long',JSON.stringify(r.M.long),'\n ',JSON.stringify(r.js),'\n ',r.M.tx.filter((x:any)=>x[3]<r.M.painted).map((x:any)=>x.join(' ')).join('\n  '))
  await p.close()}
})
house.close()
