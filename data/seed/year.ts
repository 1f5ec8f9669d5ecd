import type { TierSlug } from '#shared/contract/tier.ts'

/**
 * What happened to someone. The number is a month of theirs: 0 is the one they joined in.
 *
 * - `rise`, `fall`: from then on they’re in that tier
 * - `slip`: the card fails at that payment, and they give another four days later
 * - `lost`: the card fails at that payment, and they never give another
 * - `left`: they cancelled, and that month was the first without them
 * - `back`: they left then, and joined again a month later
 * - `part`: half of that payment went back
 * - `refunded`: all of the first payment went back, within the guarantee
 * - `ending`: they’ve cancelled, and it ends with the month they’ve paid for
 * - `looked`: they made an account and never joined
 */
export type YearStory =
  | 'stays'
  | 'refunded'
  | 'ending'
  | 'looked'
  | `${'slip' | 'lost' | 'left' | 'back' | 'part'} ${number}`
  | `${'rise' | 'fall'} ${number} ${TierSlug}`

type Line = readonly [
  name: string,
  trade: keyof typeof works,
  town: string,
  district: string,
  tier: TierSlug | null,
  monthsAgo: number,
  day: number,
  story: YearStory,
]

const works = {
  Plumber: 'Plumbing',
  Electrician: 'Electrical',
  Builder: 'Building',
  Carpenter: 'Carpentry',
  Plasterer: 'Plastering',
  Roofer: 'Roofing',
  'Heating engineer': 'Heating',
  Painter: 'Decorating',
  Tiler: 'Tiling',
  Landscaper: 'Landscapes',
  Bricklayer: 'Brickwork',
  Joiner: 'Joinery',
  Glazier: 'Glazing',
  Locksmith: 'Locks',
  'Flooring fitter': 'Flooring',
  'Kitchen fitter': 'Kitchens',
  'Drainage engineer': 'Drainage',
  'Tree surgeon': 'Tree Care',
  Fencer: 'Fencing',
  Scaffolder: 'Scaffolding',
}

const streets = [
  'Mill Lane',
  'Station Road',
  'Chapel Street',
  'Park Road',
  'Canal Street',
  'Bridge Street',
  'North Road',
]

/**
 * In order of joining. Nobody joins on a day that not every month has, so each payment falls on the same day, and the tries of one
 * that fails stay within its month.
 */
const lines: readonly Line[] = [
  ['Aled Entwistle', 'Plumber', 'Swansea', 'SA1', 'lite', 12, 17, 'rise 5 standard'],
  ['Bethan Sugden', 'Painter', 'Bath', 'BA1', 'standard', 12, 6, 'slip 4'],
  ['Callum Nettleton', 'Flooring fitter', 'Hexham', 'NE46', 'standard', 12, 6, 'back 3'],
  ['Dawn Crossley', 'Electrician', 'Barnstaple', 'EX31', 'lite', 12, 25, 'left 5'],
  ['Ewan Pickering', 'Tiler', 'Dundee', 'DD1', 'xl', 12, 2, 'stays'],
  ['Fiona Lumb', 'Kitchen fitter', 'Wigan', 'WN1', 'standard', 11, 22, 'rise 6 xl'],
  ['Gethin Ashworth', 'Builder', 'Falkirk', 'FK1', 'lite', 11, 2, 'part 5'],
  ['Hannah Nuttall', 'Landscaper', 'Kettering', 'NN16', 'lite', 11, 1, 'left 3'],
  ['Iain Illingworth', 'Drainage engineer', 'Lincoln', 'LN1', 'standard', 11, 20, 'left 4'],
  ['Jade Fenwick', 'Carpenter', 'Wrexham', 'LL11', 'standard', 11, 20, 'stays'],
  ['Keith Langford', 'Bricklayer', 'Ipswich', 'IP1', 'lite', 10, 11, 'slip 6'],
  ['Lorna Grimshaw', 'Tree surgeon', 'Halifax', 'HX1', 'lite', 10, 23, 'rise 4 standard'],
  ['Marcus Dobson', 'Plasterer', 'Poole', 'BH15', 'standard', 10, 23, 'left 7'],
  ['Nadia Jardine', 'Joiner', 'Kendal', 'LA9', 'lite', 10, 21, 'left 5'],
  ['Oisin Everard', 'Fencer', 'Penrith', 'CA11', 'lite', 10, 1, 'stays'],
  ['Paula Brearley', 'Roofer', 'Exeter', 'EX1', 'standard', 10, 10, 'stays'],
  ['Ravi Haworth', 'Glazier', 'Barnsley', 'S70', 'lite', 9, 5, 'rise 3 standard'],
  ['Siobhan Cockcroft', 'Scaffolder', 'Paisley', 'PA1', 'lite', 9, 8, 'lost 4'],
  ['Terry Wigglesworth', 'Heating engineer', 'Telford', 'TF3', 'xl', 9, 11, 'left 4'],
  ['Uma Fothergill', 'Locksmith', 'York', 'YO1', 'standard', 9, 9, 'left 7'],
  ['Vince Arkwright', 'Plumber', 'Lisburn', 'BT28', 'lite', 9, 22, 'left 7'],
  ['Wendy Towler', 'Painter', 'Hastings', 'TN34', 'lite', 9, 9, 'stays'],
  ['Yusuf Duckworth', 'Flooring fitter', 'Bolton', 'BL1', 'standard', 8, 24, 'fall 4 lite'],
  ['Zara Threlfall', 'Electrician', 'Luton', 'LU1', 'standard', 8, 7, 'slip 3'],
  ['Alfie Ratcliffe', 'Tiler', 'Ludlow', 'SY8', 'lite', 8, 3, 'lost 3'],
  ['Becky Bagshaw', 'Kitchen fitter', 'Skipton', 'BD23', 'xl', 8, 13, 'left 1'],
  ['Craig Rushworth', 'Builder', 'Norwich', 'NR1', 'standard', 8, 16, 'left 7'],
  ['Deepa Overend', 'Landscaper', 'Inverness', 'IV1', 'lite', 8, 12, 'left 2'],
  ['Eddie Yardley', 'Drainage engineer', 'Crewe', 'CW1', 'lite', 8, 9, 'stays'],
  ['Faye Omondi', 'Carpenter', 'Rotherham', 'S60', 'standard', 7, 23, 'rise 4 xl'],
  ['Graham Midgley', 'Bricklayer', 'Carlisle', 'CA1', 'standard', 7, 17, 'back 2'],
  ['Heidi Vickers', 'Tree surgeon', 'Bangor', 'BT19', 'lite', 7, 10, 'left 2'],
  ['Imran Metcalfe', 'Plasterer', 'Yeovil', 'BA20', 'xl', 7, 20, 'left 6'],
  ['Joanne Kilburn', 'Joiner', 'Preston', 'PR1', 'standard', 7, 16, 'left 1'],
  ['Kieran Tattersall', 'Fencer', 'Stockport', 'SK1', 'lite', 7, 11, 'stays'],
  ['Leanne Kellett', 'Roofer', 'Oban', 'PA34', 'lite', 7, 16, 'stays'],
  ['Mick Hepworth', 'Glazier', 'Grimsby', 'DN31', 'standard', 6, 3, 'part 2'],
  ['Niamh Ramsbottom', 'Scaffolder', 'Derby', 'DE1', 'standard', 6, 2, 'lost 3'],
  ['Ollie Ibbotson', 'Heating engineer', 'Newport', 'NP20', 'lite', 6, 8, 'refunded'],
  ['Pawel Feather', 'Locksmith', 'Stafford', 'ST16', 'xl', 6, 15, 'left 2'],
  ['Rhys Penhaligon', 'Plumber', 'Swansea', 'SA1', 'standard', 6, 13, 'left 1'],
  ['Sandra Garside', 'Painter', 'Bath', 'BA1', 'lite', 6, 8, 'stays'],
  ['Tariq Denholm', 'Flooring fitter', 'Hexham', 'NE46', 'lite', 6, 13, 'stays'],
  ['Una Nesbitt', 'Electrician', 'Barnstaple', 'EX31', 'standard', 6, 3, 'stays'],
  ['Victor Ellershaw', 'Tiler', 'Dundee', 'DD1', 'lite', 5, 21, 'rise 2 standard'],
  ['Will Bottomley', 'Kitchen fitter', 'Wigan', 'WN1', 'lite', 5, 3, 'slip 2'],
  ['Yasmin Lomax', 'Builder', 'Falkirk', 'FK1', 'xl', 5, 4, 'left 1'],
  ['Adam Catterall', 'Landscaper', 'Kettering', 'NN16', 'standard', 5, 23, 'left 3'],
  ['Bryony Warburton', 'Drainage engineer', 'Lincoln', 'LN1', 'lite', 5, 17, 'stays'],
  ['Connor Jessop', 'Carpenter', 'Wrexham', 'LL11', 'lite', 5, 17, 'stays'],
  ['Debbie Adeyemi', 'Bricklayer', 'Ipswich', 'IP1', 'standard', 5, 26, 'stays'],
  ['Elliot Thackray', 'Tree surgeon', 'Halifax', 'HX1', 'standard', 5, 7, 'stays'],
  ['Frances Hebden', 'Plasterer', 'Poole', 'BH15', 'lite', 4, 6, 'slip 2'],
  ['Gary Varley', 'Joiner', 'Kendal', 'LA9', 'xl', 4, 5, 'refunded'],
  ['Harpreet Redfearn', 'Fencer', 'Penrith', 'CA11', 'standard', 4, 8, 'lost 1'],
  ['Ian Fairclough', 'Roofer', 'Exeter', 'EX1', 'lite', 4, 19, 'left 3'],
  ['Josie Thirkell', 'Glazier', 'Barnsley', 'S70', 'lite', 4, 7, 'left 3'],
  ['Kwame Ormerod', 'Scaffolder', 'Paisley', 'PA1', 'standard', 4, 6, 'stays'],
  ['Lewis Drummond', 'Heating engineer', 'Telford', 'TF3', 'standard', 4, 17, 'stays'],
  ['Megan Rostron', 'Locksmith', 'York', 'YO1', 'lite', 4, 1, 'stays'],
  ['Neil Murgatroyd', 'Plumber', 'Lisburn', 'BT28', 'xl', 4, 8, 'stays'],
  ['Oksana Barlow', 'Painter', 'Hastings', 'TN34', 'standard', 3, 21, 'rise 1 xl'],
  ['Pete Oldroyd', 'Flooring fitter', 'Bolton', 'BL1', 'lite', 3, 10, 'part 1'],
  ['Rachel Kaye', 'Electrician', 'Luton', 'LU1', 'lite', 3, 12, 'ending'],
  ['Stuart Pritchard', 'Tiler', 'Ludlow', 'SY8', 'standard', 3, 10, 'left 2'],
  ['Tina Maguire', 'Kitchen fitter', 'Skipton', 'BD23', 'standard', 3, 14, 'stays'],
  ['Wayne Hainsworth', 'Builder', 'Norwich', 'NR1', 'lite', 3, 7, 'stays'],
  ['Anwen Exley', 'Landscaper', 'Inverness', 'IV1', 'xl', 3, 8, 'stays'],
  ['Barry Kowalski', 'Drainage engineer', 'Crewe', 'CW1', 'standard', 3, 23, 'stays'],
  ['Chloe Firth', 'Carpenter', 'Rotherham', 'S60', 'lite', 3, 8, 'stays'],
  ['Dermot Copley', 'Bricklayer', 'Carlisle', 'CA1', 'lite', 2, 8, 'slip 1'],
  ['Erin Iqbal', 'Tree surgeon', 'Bangor', 'BT19', 'standard', 2, 1, 'lost 1'],
  ['Finlay Dyson', 'Plasterer', 'Yeovil', 'BA20', 'standard', 2, 11, 'refunded'],
  ['Gail Akroyd', 'Joiner', 'Preston', 'PR1', 'lite', 2, 19, 'left 1'],
  ['Hamish Gillespie', 'Fencer', 'Stockport', 'SK1', 'xl', 2, 13, 'stays'],
  ['Isla Blackburn', 'Roofer', 'Oban', 'PA34', 'standard', 2, 5, 'stays'],
  ['Jerome Vernon', 'Glazier', 'Grimsby', 'DN31', 'lite', 2, 23, 'stays'],
  ['Katie Eastwood', 'Scaffolder', 'Derby', 'DE1', 'lite', 2, 8, 'stays'],
  ['Len Walmsley', 'Heating engineer', 'Newport', 'NP20', 'standard', 2, 6, 'stays'],
  ['Martyn Spink', 'Locksmith', 'Stafford', 'ST16', 'standard', 2, 13, 'stays'],
  ['Nikesh Chadwick', 'Plumber', 'Swansea', 'SA1', 'lite', 1, 21, 'ending'],
  ['Orla Stansfield', 'Painter', 'Bath', 'BA1', 'xl', 1, 10, 'stays'],
  ['Phil Peel', 'Flooring fitter', 'Hexham', 'NE46', 'standard', 1, 1, 'stays'],
  ['Roisin Appleby', 'Electrician', 'Barnstaple', 'EX31', 'lite', 1, 12, 'stays'],
  ['Shaun Pogson', 'Tiler', 'Dundee', 'DD1', 'lite', 1, 3, 'stays'],
  ['Tanya Newsome', 'Kitchen fitter', 'Wigan', 'WN1', 'standard', 1, 27, 'stays'],
  ['Umar Whitaker', 'Builder', 'Falkirk', 'FK1', 'standard', 1, 8, 'stays'],
  ['Val Naylor', 'Landscaper', 'Kettering', 'NN16', 'lite', 1, 16, 'stays'],
  ['Warren Lister', 'Drainage engineer', 'Lincoln', 'LN1', 'xl', 1, 17, 'stays'],
  ['Agnes Underhill', 'Carpenter', 'Wrexham', 'LL11', 'standard', 1, 25, 'stays'],
  ['Blair Longbottom', 'Bricklayer', 'Ipswich', 'IP1', null, 9, 27, 'looked'],
  ['Carys Jowett', 'Tree surgeon', 'Halifax', 'HX1', null, 4, 7, 'looked'],
  ['Dean Sefton', 'Plasterer', 'Poole', 'BH15', null, 6, 11, 'looked'],
  ['Ellen Jagger', 'Joiner', 'Kendal', 'LA9', null, 10, 14, 'looked'],
  ['Fraser Gaukroger', 'Fencer', 'Penrith', 'CA11', null, 12, 22, 'looked'],
  ['Gwen Quigley', 'Roofer', 'Exeter', 'EX1', null, 7, 25, 'looked'],
  ['Hugo Hindle', 'Glazier', 'Barnsley', 'S70', null, 5, 16, 'looked'],
  ['Ivy Earnshaw', 'Scaffolder', 'Paisley', 'PA1', null, 11, 13, 'looked'],
  ['Jamal Ogden', 'Heating engineer', 'Telford', 'TF3', null, 5, 21, 'looked'],
  ['Kirsty Farrar', 'Locksmith', 'York', 'YO1', null, 11, 24, 'looked'],
  ['Liam Clegg', 'Plumber', 'Lisburn', 'BT28', null, 3, 7, 'looked'],
  ['Maeve Mistry', 'Painter', 'Hastings', 'TN34', null, 5, 2, 'looked'],
  ['Nigel Dewhurst', 'Flooring fitter', 'Bolton', 'BL1', null, 2, 18, 'looked'],
  ['Oscar Ackroyd', 'Electrician', 'Luton', 'LU1', null, 10, 7, 'looked'],
  ['Piotr Kershaw', 'Tiler', 'Ludlow', 'SY8', null, 7, 8, 'looked'],
  ['Ross Birtwistle', 'Kitchen fitter', 'Skipton', 'BD23', null, 3, 17, 'looked'],
  ['Sian Uttley', 'Builder', 'Norwich', 'NR1', null, 8, 25, 'looked'],
  ['Toby Ingleby', 'Landscaper', 'Inverness', 'IV1', null, 11, 7, 'looked'],
  ['Vikram Wadsworth', 'Drainage engineer', 'Crewe', 'CW1', null, 9, 4, 'looked'],
  ['Wes Shackleton', 'Carpenter', 'Rotherham', 'S60', null, 10, 10, 'looked'],
  ['Amina Greenhalgh', 'Bricklayer', 'Carlisle', 'CA1', null, 4, 19, 'looked'],
  ['Bruce Unsworth', 'Tree surgeon', 'Bangor', 'BT19', null, 2, 23, 'looked'],
  ['Cerys Priestley', 'Plasterer', 'Yeovil', 'BA20', null, 5, 8, 'looked'],
]

export type YearSeed = {
  email: string
  firstName: string
  lastName: string
  trade: string
  businessName: string
  phone: string
  address: { line1: string; town: string; postcode: string }
  tier: TierSlug | null
  /** They joined on `day` of the month so many before this one. */
  monthsAgo: number
  day: number
  story: YearStory
}

/** Invented people. The numbers are Ofcom’s for drama, and nobody can have an address at example.com. */
export const yearSeeds: readonly YearSeed[] = lines.map(
  ([name, trade, town, district, tier, monthsAgo, day, story], at) => {
    const [firstName = '', lastName = ''] = name.split(' ')
    return {
      firstName,
      lastName,
      trade,
      tier,
      monthsAgo,
      day,
      story,
      email: `${firstName}.${lastName}@example.com`.toLowerCase(),
      businessName: `${lastName} ${works[trade]}`,
      phone: `07700 900${200 + at}`,
      address: { line1: `${2 + at} ${streets[at % streets.length]}`, town, postcode: `${district} 1AA` },
    }
  },
)
