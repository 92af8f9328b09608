/**
 * Fields of life with the English words that belong to them, so that 'goalkeeper' is a little nearer to 'stadium' than
 * to 'tax': what makes texts on one topic similar though they say different things.
 *
 * Wider and weaker than the groups of related words: without them two such texts are no nearer than any others, while
 * paraphrases rank the same. Only everyday words; a word may belong to two fields.
 */

/** Fields are separated by a bar. */
export const TOPICS = `
dog puppy cat kitten horse pony cow sheep lamb goat pig rabbit mouse rat squirrel bear wolf fox lion tiger elephant
monkey deer donkey animal pet zoo panda kangaroo leash fur tail paw bark | bird duck goose swan chicken hen eagle owl
pigeon parrot feather wing nest beak egg | fish shark whale dolphin turtle frog crab aquarium fisherman fishing | insect
bee ant butterfly spider fly mosquito bug | food meal dish eat cook kitchen bread cheese egg butter soup salad sandwich
pizza pasta rice noodle sauce pepper salt meat beef pork chicken bacon steak fruit apple banana orange lemon vegetable
potato tomato onion garlic carrot cucumber mushroom broccoli bean flour dough sugar cake cookie pie chocolate dessert
breakfast lunch dinner recipe ingredient bake fry boil roast grill slice chop peel stir pour mix plate bowl pan pot oven
stove knife fork spoon tofu shrimp | drink coffee tea milk juice wine beer water bottle cup glass mug bar pub soda
lemonade | car truck bus van taxi vehicle drive driver road street highway traffic lane garage parking park engine wheel
tire brake crash accident pedestrian | bicycle bike cyclist motorcycle rider ride pedal helmet skateboard skate scooter
| train railway rail station platform track subway locomotive carriage passenger conductor derail | plane airplane
aircraft jet airliner flight airport airline pilot runway fly land takeoff helicopter wing crew passenger | ship boat
ferry vessel yacht sail sailor harbor harbour port dock sea captain canoe kayak paddle row crew anchor coast | sea ocean
beach coast shore wave sand island surf surfer surfboard swim swimmer pool dive diver water lake river pond splash float
| mountain hill cliff rock climb climber hike hiker trail peak valley slope ski skier snowboard snow cave canyon | tree
forest wood leaf branch flower grass garden field plant bush park lawn meadow bloom seed farm farmer crop harvest wheat
| weather rain snow wind storm hurricane typhoon tornado flood sun sunny cloud cloudy fog temperature forecast lightning
thunder ice drought cold hot | earthquake tsunami flood landslide wildfire volcano eruption disaster hurricane typhoon
evacuate rescue survivor victim tremor quake magnitude emergency relief | house home apartment room bedroom bathroom
kitchen door window wall roof floor ceiling furniture sofa couch bed chair table desk lamp shelf cupboard curtain carpet
fence porch stair rent tenant landlord | football soccer basketball baseball tennis golf hockey rugby volleyball cricket
ball player team coach goal score match game tournament league championship champion cup stadium referee striker
goalkeeper kick dribble shoot throw catch pitch field court racket bat fan win defeat final season club olympic medal
athlete | run runner race marathon jog sprint jump gym exercise gymnast workout weight muscle fitness athlete yoga
stretch trampoline | music song sing singer band guitar piano violin flute drum trumpet orchestra concert album melody
instrument musician choir tune stage rock jazz dance | dance dancer ballet theater theatre stage perform performer
performance actor actress audience show costume | film movie cinema actor actress director scene star hollywood tv
television series episode show comedy drama celebrity | book novel author writer poem poet read library chapter page
publish story literature magazine newspaper | art painting painter artist museum gallery sculpture statue exhibition
draw sketch portrait paint brush photograph photo camera picture | shirt coat jacket dress trousers pants jeans skirt
hat cap shoe boot sock glove scarf clothes suit uniform wear costume sunglasses belt tie fabric | hair face eye nose ear
mouth lip tooth tongue head neck beard makeup lipstick mirror comb | hand arm finger leg foot knee shoulder elbow wrist
ankle toe body | body blood heart brain skin bone muscle stomach lung liver kidney nerve organ | doctor nurse hospital
clinic patient surgery surgeon medicine drug pill disease illness cancer infection virus vaccine symptom treatment
therapy cure fever pain diagnosis health medical heart flu diabetes | school teacher student pupil class classroom
lesson university college professor exam homework course study learn education campus degree graduate | baby child kid
toddler parent mother father son daughter brother sister family birth grandmother grandfather uncle aunt infant |
wedding marriage bride groom husband wife marry divorce couple engaged love romance date | money bank cash loan debt
credit account mortgage pay payment price cost budget salary wage fee savings invest investor dollar euro pound currency
| stock share market investor trading exchange index nasdaq dow profit earnings revenue quarter percent analyst point
rally gain fall close wall street bond | company business firm corporation ceo executive chairman merger takeover deal
acquisition shareholder profit industry sales customer employee brand | economy economic inflation unemployment growth
recession gdp deficit interest rate export import trade tariff budget tax spending crisis | job work worker employee
employer boss manager office salary hire career interview resume union strike staff colleague | factory industry
manufacturer machine production plant equipment steel worker | oil gas petrol fuel barrel crude pipeline energy coal
nuclear reactor electricity power solar grid plant | government president minister parliament congress senate senator
lawmaker politician policy cabinet prime democrat republican party opposition political governor mayor chancellor
premier reform | election vote voter ballot poll candidate campaign presidential party win result constituency
referendum | law court judge jury trial lawyer attorney lawsuit sue verdict appeal convict guilty sentence prosecutor
defendant charge legal supreme justice testify rule ruling | crime police officer arrest suspect prison jail murder kill
robbery thief steal theft burglar gun shoot victim detective investigation criminal custody gang stab murderer inmate |
war army soldier troop military battle weapon missile tank bomb rebel militant airstrike strike attack ceasefire
invasion nato peace navy force commander enemy insurgent drone | bomb bombing explosion terrorist terrorism attack blast
militant hostage kill wound casualty bomber extremist | syria iraq iran israel palestinian egypt lebanon libya yemen
afghanistan pakistan turkey arab saudi jordan damascus baghdad kabul | russia ukraine moscow kiev kremlin | china
beijing japan tokyo korea korean pyongyang seoul taiwan asia chinese | diplomat diplomacy ambassador embassy foreign
talks summit treaty negotiation agreement sanction united nations bilateral envoy resolution | protest protester
demonstration rally riot police crowd tear activist march opposition | refugee migrant immigrant immigration border
asylum visa citizen passport | religion church god priest pope bishop pray prayer mosque muslim christian jewish temple
catholic faith holy bible worship | computer laptop software program code server internet website web browser network
data file download click user password email keyboard screen app windows linux application install hacker database |
code function variable string array list loop class method compile javascript python java integer return bug programming
syntax parameter exception | phone telephone mobile smartphone call text message ring iphone android tablet battery
charger | science scientist research researcher study experiment theory physics chemistry biology laboratory discovery |
space planet moon star sun mars earth orbit rocket astronaut spacecraft nasa satellite telescope galaxy | circuit
battery bulb wire voltage current switch electric electrical electricity charge lamp plug socket | math mathematics
number equation algebra geometry calculate sum multiply divide formula | hotel travel trip tourist tourism vacation
holiday flight luggage suitcase passport visa guest tour destination resort beach | shop store buy sell customer price
order delivery parcel package refund return receipt discount cart checkout supermarket purchase cheap expensive shipping
| garden plant soil seed flower lawn mow water weed vegetable grow rose | tool hammer nail screw drill saw wood wooden
glue paint repair build ladder wire pipe | word language sentence grammar speak translate english spelling verb noun
meaning pronounce dictionary letter comma | happy sad angry joy fear love hate emotion feeling feel worry anxious
excited lonely hope grief anger sorrow pleasure | color colour red blue green yellow black white brown orange purple
pink grey gray | north south east west northern southern eastern western | day week month year hour minute | monday
tuesday wednesday thursday friday saturday sunday | january february march april june july august september october
november december
`
