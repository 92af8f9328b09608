/** The word lists of the embeddings. Made from the text files beside it by `npm run generate`; do not edit. */
export const COMMON_WORDS = `faint: der das und ist nicht ein eine einen einem einer eines ich sie wir ihr ihre mich mir dich dir uns euch den dem von zu
faint: auf im vom zum zur bei aus nach uber unter durch gegen ohne um wie wenn aber oder auch noch nur schon sehr sind wird
faint: werden wurde wurden haben hatte kann konnen muss mussen soll sollte mein meine meinen dein sein seine unser dass weil
faint: als denn doch mochte welche
faint: le la les des du un une et est sont dans sur avec sous ce cette ces il elle nous vous ils elles je tu mon ma mes sa ses
faint: leur leurs ne pas que qui quoi dont ou au aux en mais donc puis peux peut voudrais etre avoir ete suis tres quel quelle
faint: el los las una unos unas es del al para por sobre como quien donde cuando pero muy esta este estos esto ese esa su sus
faint: mi mis lo se ha han hay yo ella nosotros puedo quiero
faint: gli uno di della dello dei delle degli nel nella sul sulla sulle che chi sono non piu quando questo questa mio mia suo
faint: sua si os um uma da das na nos nas em sem nao mais muito isso ele ela eu meu minha seu
faint: de het een ik je hij zij wij niet op te aan met voor naar uit ook nog maar zijn heeft hebben wordt dat dit deze
faint: и в во не на я он она они мы вы что это этот эта как так все с со к ко у о об от до из за по под над для при без же бы ли
faint: но или если когда где кто мне меня мои моя мое ваш ваша его ее их был была было были есть будет можно
faint: the a an of to and in is it for on with as was at by be this that are from or have has had were been am do does
faint: did s i you he she we they me him her us them my your his its our their there here so if then than but will
faint: would can could may might shall should must being having doing
weak: what which who whom whose when where why how not no nor never into onto out up down off over under about after
weak: before between during through against among within without because since until while although though however
weak: also too very just only even still already yet ever again almost more most much many some any each every all
weak: both few several other another such same own one else etc these those mine yours myself yourself himself herself
weak: itself themselves ourselves something anything nothing everything someone anyone everyone somebody anybody
weak: nobody everybody thing things way ways get gets got getting go goes going went gone make makes made making take
weak: takes took taken taking use used using uses say says said saying tell told put let lets want wants need needs
weak: like really quite rather maybe perhaps please thanks now today yesterday tomorrow soon later ago always often
weak: sometimes usually around near next toward towards upon per via cannot monday tuesday wednesday thursday friday
weak: saturday sunday think thinks thought know knows known
mild: two three four five first second last new old big small large little good better best bad great high low long
mild: short come comes came coming give gives gave given giving find finds found look looks looking keep keeps kept
mild: try tries tried seem seems show shows work works call called start started stop become becomes became turn turns
mild: move help ask asked feel mean means happen happened different certain sure able possible important less least
mild: enough part parts kind sort type types lot lots bit number amount place side end back front top people person
mild: persons man men woman women time times day days week weeks month months year years hour hours minute minutes
mild: group set state case point fact report reports reported according officials official spokesman expected early
mild: late left right away together along across behind above below inside outside idea example question answer
mild: problem reason`
export const IRREGULAR_FORMS = `be am is are was were been being
have has had having
do does did done doing
go goes went gone
say said
see saw seen
take took taken
give gave given
make made
get got gotten
come came
know knew known
think thought
find found
tell told
leave left
feel felt
bring brought
buy bought
catch caught
teach taught
keep kept
sleep slept
sell sold
send sent
spend spent
build built
lose lost
meet met
pay paid
hold held
stand stood
understand understood
hear heard
write wrote written
drive drove driven
ride rode ridden
rise rose risen
speak spoke spoken
break broke broken
steal stole stolen
choose chose chosen
wake woke woken
begin began begun
drink drank drunk
swim swam swum
sing sang sung
run ran
sit sat
win won
shoot shot
fall fell fallen
eat ate eaten
fly flew flown flies
grow grew grown
throw threw thrown
draw drew drawn
blow blew blown
hide hid hidden
bite bit bitten
fight fought
feed fed
lead led
read reads
light lit
hang hung
strike struck stricken
stick stuck
swing swung
dig dug
wear wore worn
tear tore torn
bear bore born
forget forgot forgotten
freeze froze frozen
show shown
sink sank sunk
die died dies dying death dead
lie lay lain lying lied
become became
seek sought
bend bent
lend lent
deal dealt
mean meant
dream dreamt
burn burnt
learn learnt
sweep swept
forbid forbade forbidden
forgive forgave forgiven
shake shook shaken
man men
woman women
child children
person people persons
foot feet
tooth teeth
mouse mice
goose geese
life lives
wife wives
knife knives
leaf leaves
wolf wolves
half halves
shelf shelves
loaf loaves
good better best well
bad worse worst
will would
can could
may might
shall should
analysis analyses
crisis crises
medium media
datum data
this these
that those
bus buses
gas gases
shoe shoes`
export const RELATED_WORDS = `car automobile auto vehicle
truck lorry van pickup
bicycle bike cycle cyclist
motorcycle motorbike scooter
train railway rail
plane airplane aircraft jet airliner
ship boat ferry vessel yacht sail
flight fly airline airport aviation
road street highway avenue
man guy gentleman male
woman lady female girl
boy lad kid
child kid toddler baby infant boy girl
person people someone somebody human individual
mother mom mum mama parent
father dad daddy papa parent
husband wife spouse married marriage wedding
friend buddy pal mate
old elderly aged senior ancient
young youth teenager juvenile
king queen prince princess royal monarch
dog puppy hound canine pup
cat kitten feline kitty
horse pony stallion
bird duck goose pigeon
fish salmon tuna
animal pet creature beast
food meal dish cuisine
eat dine consume feed meal
dinner supper lunch breakfast meal
cook fry bake roast boil grill chef recipe kitchen
slice cut chop carve dice
drink beverage sip
coffee tea espresso
beer wine alcohol liquor
bread dough loaf toast
meat beef pork lamb steak
restaurant cafe diner eatery waiter
fruit apple banana orange
vegetable onion potato carrot tomato
sweet sugar candy dessert cake
home house residence apartment flat dwelling
room bedroom bathroom kitchen
sofa couch settee furniture
chair seat bench
bed sleep asleep nap rest
build construct construction building architect
repair fix mend restore
wall fence barrier
door gate entrance
big large huge enormous giant massive vast
small little tiny mini
tall high lofty
fast quick rapid swift speedy
slow sluggish gradual
good great excellent fine superb
bad terrible awful horrible poor dreadful
happy glad joyful cheerful pleased delighted joy
sad unhappy sorrow upset
angry furious mad rage anger
afraid scared fear frightened terrified
calm peaceful peace quiet tranquil
worry anxiety anxious concern stress
love adore like enjoy
beautiful pretty lovely gorgeous handsome
clean wash rinse tidy
dirty filthy stained
hot warm heat
cold cool chilly freeze
wet damp water soak
dry arid drought
begin start commence launch
end finish stop conclude complete
buy purchase acquire shop order
sell sale vend
pay payment fee charge bill cost price
money cash fund dollar euro
refund reimburse return repay money
cheap inexpensive affordable bargain low
expensive costly pricey
rich wealthy
poor poverty
job work employment career occupation profession
employee worker staff
boss manager supervisor employer
hire recruit employ
fire dismiss sack layoff redundant
company firm business corporation enterprise
store shop supermarket market retailer
customer client shopper consumer
product goods item merchandise
profit earnings income revenue gain
loss deficit
stock share equity
bank lender loan credit
tax levy duty
rise increase climb gain grow surge rally up
fall drop decline decrease plunge sink down
cut reduce lower trim slash
economy economic finance financial
trade commerce export import
kill murder slay die dead fatal
wound injure hurt harm
attack assault strike raid
bomb explosion blast bombing explode
shoot gun shot gunman fire rifle
war conflict battle fight combat
army military troop soldier force
rebel insurgent militant guerrilla
terrorist terrorism extremist
weapon arms missile
police officer cop policeman
arrest detain custody capture
prison jail prisoner inmate
court judge trial tribunal legal
law legislation rule bill act legal
crime criminal offence offender
steal theft rob robbery thief burglar
guilty convict conviction sentence
lawyer attorney counsel
fraud scam corruption
government state administration
president leader
minister secretary official
parliament congress senate lawmaker
election vote poll ballot
party political politician politics
protest demonstration rally march demonstrator
agree accept approve consent
refuse reject deny decline
permit allow let grant authorize authority permission may right
forbid ban prohibit
sanction embargo penalty
border frontier
country nation national state
city town urban municipal
village rural countryside
earthquake quake tremor seismic
storm hurricane typhoon cyclone tornado
flood flooding deluge
rain shower drizzle wet
snow snowfall blizzard
weather climate forecast
fire blaze wildfire flame burn
sea ocean water coast beach shore
river stream lake pond water
mountain hill peak
forest wood tree jungle
sky star planet space moon astronomy
doctor physician medic
hospital clinic medical medicine
sick ill illness disease sickness
drug medication pill painkiller medicine
nurse patient
virus infection outbreak epidemic
vaccine vaccination jab
pregnant pregnancy
health healthy fitness
pain ache sore hurt
tooth dentist dental
teacher professor instructor tutor
student pupil
school college university education classroom
learn study teach
book novel read
write author writer text
movie film cinema
song music sing tune melody
singer musician band
play perform act
actor actress performer
dance dancer ballet
guitar violin piano flute instrument
picture photo photograph image
paint painting painter draw
art artist museum gallery
television tv broadcast
newspaper paper journal press
story tale narrative
soccer football
game match play sport
win victory beat defeat triumph
lose loss defeat
goal score
team side squad club
player athlete striker
race run sprint marathon
run jog race sprint
walk stroll hike wander
jump leap hop bounce
climb ascend scale
throw toss hurl
hit strike beat punch
carry haul transport
push shove
pull drag tug
move go travel
travel trip journey tour voyage tourist tourism
arrive reach come arrival
leave depart exit departure
enter join
return back
stay remain
visit tour guest
hotel motel hostel inn accommodation
luggage baggage suitcase bag
ticket pass fare
passport visa
holiday vacation
map route direction
say state tell announce declare report
speak talk discuss chat conversation
discuss discussion debate talk
ask question query inquire
answer reply respond response
shout yell scream cry
laugh giggle chuckle smile
cry weep sob tear
look watch see view observe
hear listen sound
think believe opinion consider suppose
know understand realize
idea thought concept notion
plan scheme intend intention program
want wish desire
need require necessary must
help assist aid support
give provide offer supply
get obtain receive
take grab seize
find discover locate
search seek hunt look
show display present
hide conceal
keep hold retain
change alter modify convert turn transform
make create produce
break smash shatter broken
destroy demolish ruin
open unlock
close shut lock closure
put place set lay
connect link join attach
separate split divide
computer laptop pc notebook
phone telephone smartphone mobile cellphone
internet web online network
website site webpage
email mail message
software program app application
file document folder
delete remove erase
save store backup
password passcode credential login
login sign logon account
cancel unsubscribe terminate stop
subscription subscribe membership plan
error bug fault failure exception
crash fail freeze break
code program programming script
function method procedure
string text
number integer numeric digit
list array
database sql table
server host backend
update upgrade
install setup
download upload
button click press
screen display monitor
battery charge power
power electricity energy
light lamp bulb bright
engine motor
nuclear atomic reactor
scientist researcher science research
test exam experiment
deliver delivery ship shipping shipment
package parcel box
broken damage defective
complain complaint
guarantee warranty
almost nearly about approximately around
many numerous several lots multiple
some few
all every entire whole
often frequently
maybe perhaps possibly
suddenly abruptly
important significant crucial vital
strong powerful mighty
weak feeble
hard difficult tough
easy simple
new modern recent
strange odd weird unusual
correct right accurate true
wrong incorrect false mistaken
dangerous unsafe risky danger risk hazard
safe secure safety security
free liberty freedom
different distinct various difference
same identical equal alike
problem issue trouble difficulty
reason cause why
result outcome effect
way method manner approach
part piece portion section
group crowd team bunch
amount quantity number
day daily
night evening overnight
year annual yearly
month monthly
week weekly
morning dawn
two 2 second pair couple
three 3 third
four 4 fourth
five 5 fifth
six 6
seven 7
eight 8
nine 9
ten 10
one 1 first single
hundred 100
thousand 1000
million 1000000
america american usa
britain british uk england english
russia russian moscow
china chinese beijing
france french paris
germany german berlin
japan japanese tokyo
israel israeli
iran iranian tehran
iraq iraqi baghdad
india indian
europe european eu
spain spanish
italy italian
hat cap helmet
shirt coat jacket clothes clothing dress wear
shoe boot sandal
bag purse backpack
ball football basketball
grass lawn field meadow
garden yard park
flower rose blossom plant
ground floor earth soil
box container crate
knife blade sword
cup mug glass
bottle jar
road path track trail
noise sound loud
smell odor scent
act action activity deed
state condition status
quality property characteristic attribute feature trait
cause make induce trigger bring
become turn get
group set collection
piece bit fragment scrap
being existence exist
ability capable able capacity skill talent
tool instrument implement device gadget equipment
machine device apparatus appliance
substance material stuff matter
shape form figure
mark sign symbol
surface top face
edge border margin rim boundary
center centre middle core
side flank
bottom base foot
line row queue
place location site spot position
area region zone territory district
country land territory
distance length range
size dimension magnitude extent
degree level extent grade
speed pace rate velocity
force power strength energy
effort attempt try endeavor
skill expertise ability
purpose aim goal objective target
intend plan mean aim
event incident occurrence happening
happen occur take
process procedure operation
move motion movement shift
movement campaign
remove take withdraw extract eliminate
add include insert append
increase raise boost expand enlarge
expand extend stretch spread widen
reduce decrease lessen diminish shrink
damage harm hurt injure impair
protect defend guard shield
support back endorse favour favor
oppose resist against object
control manage run govern direct
manage cope handle deal
lead guide conduct head
follow pursue chase track
avoid escape evade dodge prevent
prevent stop block hinder avert
stop halt cease quit pause
continue resume proceed persist remain last
delay postpone defer wait
hurry rush hasten
wait await expect
expect anticipate predict forecast
hope wish expect
guess estimate suppose assume
decide determine resolve decision
choose select pick opt choice
judge assess evaluate rate
compare contrast
measure gauge size
count number calculate
check verify confirm examine inspect
examine inspect investigate study analyze analyse
investigate probe inquiry investigation
test try trial
prove show demonstrate evidence proof
explain clarify describe account
describe depict portray
mention refer cite note
note notice observe remark
claim assert allege insist
admit acknowledge confess concede
deny refute reject dismiss
accuse blame charge allege
criticize criticise condemn denounce slam blast
praise commend laud hail
promise pledge vow swear
warn caution alert warning
threaten threat menace
urge call appeal press demand
demand request ask require
order command instruct
advise recommend suggest counsel advice
suggest propose imply offer
offer bid propose
apologize apologise sorry apology regret
thank grateful appreciate
greet welcome
meet encounter gather join
gather collect assemble
meeting conference summit talks
negotiate negotiation talks bargain
deal agreement pact accord treaty contract
peace truce ceasefire
alliance coalition union league
member participant
organization organisation agency body institution
department ministry office bureau
committee panel commission council board
chief head leader boss
premier prime
governor mayor
spokesman spokeswoman spokesperson
opponent rival enemy foe competitor
partner ally colleague associate
expert specialist professional
worker laborer labourer
farmer peasant grower
chairman chairwoman chair president
ceo executive chief
founder creator inventor
successor heir
victim casualty
survivor survive
hero star celebrity
crew staff personnel
citizen resident inhabitant
refugee migrant immigrant
neighbor neighbour
stranger unknown
visitor guest tourist
passenger traveler traveller commuter
pilot captain
killer murderer assassin
suspect accused defendant
witness testify testimony
prosecutor prosecution
sue lawsuit suit litigation
appeal petition plea
acquit clear exonerate
release free discharge
escape flee run
kidnap abduct hostage
beat hit batter thrash
stab knife
burn scorch
drown sink
crash collide collision smash wreck accident
derail derailment
collapse fall crumble
disaster catastrophe tragedy calamity
emergency crisis
rescue save
evacuate evacuation flee
dead death die toll fatal deadly kill
injured hurt wounded injure
missing lost disappear vanish
bury funeral burial grave
deploy station send
withdraw pull retreat
invade invasion occupy
seize capture take
defeat overcome conquer
surrender yield
spy espionage surveillance
hack hacker cyber
leak disclose reveal expose
reveal unveil disclose announce
publish release issue print
launch introduce unveil release
report account story
news report headline
interview talk question
speech address talk lecture
statement declaration announcement
letter note message
rumor rumour gossip
secret hidden confidential classified
truth fact reality
lie false untrue dishonest
mistake error blunder slip
trick deceive fool cheat
joke humor humour funny
fun enjoyment amusement entertain
funny amusing hilarious comic
boring dull tedious
interesting fascinating intriguing
exciting thrilling
amazing wonderful incredible fantastic awesome marvelous
perfect ideal flawless
pleasant nice agreeable delightful
nice kind friendly pleasant
kind generous gentle caring
cruel brutal harsh
rude impolite
honest sincere truthful
brave courageous bold
shy timid
proud pride
lazy idle
clever smart intelligent bright brilliant
stupid foolish silly dumb
crazy mad insane
tired exhausted weary fatigue
hungry hunger starve
thirsty thirst
asleep sleeping
awake wake
alive living live
sure certain confident
likely probable
clear obvious evident plain
exact precise accurate
rare uncommon scarce
common usual typical frequent normal
normal ordinary regular standard
special particular specific
famous renowned celebrated
popular favorite favourite
main chief principal primary major
major big significant
minor small slight
basic fundamental essential
extra additional more another
enough sufficient adequate
empty vacant blank
full filled packed
heavy weighty
thick dense fat
thin slim slender skinny
wide broad
narrow thin
deep depth
long lengthy
short brief
round circular circle
flat level even smooth
sharp keen pointed
soft gentle mild
rough uneven coarse
tight firm
loose slack
quiet silent silence
loud noisy noise
bright shiny brilliant
dark dim darkness black
fresh new
raw uncooked
ripe mature
modern contemporary
ancient antique old
early soon
late overdue delayed
recent latest new
future upcoming
former previous past ex
next following
final last ultimate
first initial original
beginning start outset
ending end conclusion
anniversary birthday
carry bear bring
bring fetch deliver
lift raise hoist
drop fall lower
hang suspend
lean bend
turn rotate spin twist
roll spin
shake tremble shiver
slide slip glide
crawl creep
fly soar
swim float
dive plunge
ride drive
drive steer
park parking
sit seat
stand rise
kneel crouch squat
lie rest recline
hug embrace cuddle
touch feel handle
hold grip grasp
catch grab
rub stroke pet
scratch scrape
tie bind fasten attach
wrap cover
cover blanket hide
fill stuff load pack
pour spill
mix blend stir combine
combine merge unite join
merger takeover acquisition acquire buy
share divide split
spread scatter
dig bury
plant sow
grow develop
cut mow clip trim
peel skin
wipe clean
sweep brush
stare gaze watch look
peek glance look
taste flavor flavour
smile grin
applaud clap cheer
point indicate
lawnmower mow
barbell dumbbell weight
exercise workout train gym
train coach
practice practise rehearse train
compete contest competition race
champion winner title
tournament championship cup league
medal prize award trophy
coach trainer manager
referee umpire
goalkeeper goalie keeper
fan supporter
stadium arena
ski skier snowboard
surf surfer wave surfboard
skate skateboard skater skateboarder
gymnast gymnastics
swimmer swim
wrestle wrestler
tennis racket
golf golfer
baseball bat
hockey puck
karate judo martial
chess board
crowd audience spectator
stage platform
concert gig show
drum drummer
guitar guitarist
piano pianist keyboard
violin violinist fiddle
orchestra band
album record disc
dvd disc video
video clip film recording
camera photographer
cow cattle bull ox calf
sheep lamb
pig hog
chicken hen rooster
rabbit bunny hare
mouse rat rodent
monkey ape chimp gorilla
lion tiger panther leopard
bear panda
deer elk
snake serpent
frog toad
turtle tortoise
insect bug ant bee
rock stone boulder
sand desert
mud dirt soil
dust ash
ice freeze frozen
fog mist cloud
sun sunshine sunny solar
wind breeze windy
thunder lightning
island isle
bay gulf
waterfall cascade
valley canyon gorge
cliff ledge
stair step staircase ladder
window glass pane
roof ceiling
corridor hall hallway
yard garden backyard lawn
porch balcony terrace
fountain spring
bridge overpass
tower skyscraper
castle palace
church cathedral chapel
muslim islam islamic mosque
priest pastor clergy bishop
pope pontiff vatican
god deity lord
pray prayer worship
ghost spirit soul
table desk
drawer cupboard cabinet
blanket quilt
pillow cushion
towel cloth
soap detergent
rope string cord
wire cable
fork spoon
bowl dish plate
pan pot skillet
oven stove cooker
fridge refrigerator freezer
soup stew broth
sauce gravy dressing
pasta spaghetti noodle
rice grain
shrimp prawn
cookie biscuit
jelly jam
pepper spice
garlic onion
cucumber zucchini
trousers pants jeans
dress skirt gown
sweater jumper pullover
glasses spectacles sunglasses
jewelry ring necklace
cloth fabric textile
forehead face
stomach belly abdomen
throat neck
blood bleed
bone skeleton
brain mind mental
heart cardiac
cancer tumor tumour
surgery operation surgeon
cure heal treat treatment therapy remedy
cough cold flu influenza
fever temperature
wound cut
blind sight
hospital ward
ambulance paramedic
bankrupt bankruptcy insolvent
debt owe loan
invest investment investor
salary wage pay
rent lease tenant
insurance insure
percent percentage pct
quarter fourth
currency money
discount sale reduction
receipt invoice bill
budget spending
estimate forecast projection
analyst economist
growth expansion grow
recession slump downturn
inflation price
jobless unemployed unemployment
oil crude petroleum
gas fuel petrol gasoline
coal mine miner mining
pollution contaminate
climate environment
volcano eruption erupt lava
landslide mudslide avalanche
tsunami wave
epidemic pandemic plague
famine hunger
drone aircraft
helicopter chopper
spacecraft spaceship shuttle rocket
satellite orbit
astronaut cosmonaut
mars planet
syria syrian damascus
egypt egyptian cairo
libya libyan
palestinian palestine gaza
turkey turkish
pakistan pakistani islamabad
afghanistan afghan kabul
ukraine ukrainian kiev kyiv
korea korean seoul pyongyang
mexico mexican
brazil brazilian
canada canadian
australia australian sydney
greece greek athens
poland polish warsaw
ireland irish dublin
scotland scottish
sweden swedish stockholm
norway norwegian oslo
denmark danish
netherlands dutch amsterdam
belgium belgian brussels
swiss switzerland
africa african
asia asian
lebanon lebanese beirut
saudi arabia riyadh
thailand thai bangkok
vietnam vietnamese
philippines philippine manila
indonesia indonesian jakarta
nepal nepalese kathmandu
bangladesh bangladeshi dhaka
nigeria nigerian
kenya kenyan nairobi
somalia somali
cuba cuban havana
venezuela venezuelan caracas
argentina argentine
chile chilean
colombia colombian
un united nations
eu european union
fbi cia
republican gop conservative
democrat democratic liberal
constitution constitutional
referendum vote
democracy democratic
rights right freedom
race racial ethnic
racism racist discrimination
gang mafia
drug cocaine heroin narcotic
drunk alcohol intoxicated
smoke cigarette tobacco
gamble bet casino
toy doll
puzzle riddle
cartoon animation
costume outfit
homework assignment
exam grade
degree diploma
course class lesson
professor academic
library book
dictionary word
word term phrase
name title
sentence phrase
language tongue
translate interpret translation
meaning mean definition sense
page paper sheet
pen pencil
write scribble record
sign signature
list record
chapter section
magazine journal
address location
folder directory
mouse cursor
browser chrome firefox
window tab
link url
icon logo
variable value
object instance
loop iterate repeat
thread process
memory ram
disk drive storage
user account
run execute
compile build
debug fix bug
test check
config configuration setting option
default standard
version release
request query call
token key
limit maximum cap quota
minimum least
exceed surpass over
fail failure unsuccessful
succeed success successful
possible potential feasible
impossible cannot
useful helpful handy
useless worthless
lucky fortunate luck
fate destiny
chance opportunity
advantage benefit profit
disadvantage drawback
rule regulation law
duty obligation responsibility
right entitlement
crime sin
punish punishment penalty fine
reward prize award
gift present donate donation give
borrow lend loan
steal take
own possess have belong
property possession asset estate
rich fortune wealth
charity donation aid
volunteer help
serve service
obey comply follow
ignore neglect disregard
remember recall memory
imagine dream fantasy
understand comprehend grasp
confuse puzzle baffle
surprise astonish amaze shock
shock stun
excite thrill
annoy irritate bother
disappoint disappointment
embarrass ashamed shame
hate dislike detest loathe
envy jealous
trust believe faith
doubt suspect uncertain
respect admire esteem
mock ridicule
encourage motivate inspire
persuade convince
force compel oblige
permit license licence
official formal
private personal
public open
local regional
national nationwide
international global worldwide world
foreign overseas abroad
capital city
center downtown
suburb outskirts
community society
population people inhabitants
generation age
tradition custom
history historic past
culture cultural
religion religious faith
war warfare military
nuclear atomic weapon
mate couple pair
twin double
single alone lone
lonely alone
together jointly
separate apart
each every
both two
dozen twelve 12
twenty 20
thirty 30
forty 40
fifty 50
ninety 90
eleven 11
billion bn
twice double two
eighty 80
seventy 70
sixty 60
fifteen 15
outdoors outside outdoor
indoors inside indoor
above over
below under beneath underneath
behind back
front ahead
near close beside next
far distant remote
across through
away off
upward up
downward down
forward ahead
backward back
because since therefore so hence thus
but however though although yet
also too as
instead rather
especially particularly
very really extremely highly
mostly mainly largely
only just merely
completely totally entirely fully
probably likely
certainly surely definitely
finally eventually
immediately instantly
currently now presently
previously before formerly
usually normally generally
always forever
again once
here there
today now
tonight evening`
export const TOPICS = `dog puppy cat kitten horse pony cow sheep lamb goat pig rabbit mouse rat squirrel bear wolf fox lion tiger elephant monkey deer donkey animal pet zoo panda kangaroo leash fur tail paw bark
bird duck goose swan chicken hen eagle owl pigeon parrot feather wing nest beak egg
fish shark whale dolphin turtle frog crab aquarium fisherman fishing
insect bee ant butterfly spider fly mosquito bug
food meal dish eat cook kitchen bread cheese egg butter soup salad sandwich pizza pasta rice noodle sauce pepper salt meat beef pork chicken bacon steak fruit apple banana orange lemon vegetable potato tomato onion garlic carrot cucumber mushroom broccoli bean flour dough sugar cake cookie pie chocolate dessert breakfast lunch dinner recipe ingredient bake fry boil roast grill slice chop peel stir pour mix plate bowl pan pot oven stove knife fork spoon tofu shrimp
drink coffee tea milk juice wine beer water bottle cup glass mug bar pub soda lemonade
car truck bus van taxi vehicle drive driver road street highway traffic lane garage parking park engine wheel tire brake crash accident pedestrian
bicycle bike cyclist motorcycle rider ride pedal helmet skateboard skate scooter
train railway rail station platform track subway locomotive carriage passenger conductor derail
plane airplane aircraft jet airliner flight airport airline pilot runway fly land takeoff helicopter wing crew passenger
ship boat ferry vessel yacht sail sailor harbor harbour port dock sea captain canoe kayak paddle row crew anchor coast
sea ocean beach coast shore wave sand island surf surfer surfboard swim swimmer pool dive diver water lake river pond splash float
mountain hill cliff rock climb climber hike hiker trail peak valley slope ski skier snowboard snow cave canyon
tree forest wood leaf branch flower grass garden field plant bush park lawn meadow bloom seed farm farmer crop harvest wheat
weather rain snow wind storm hurricane typhoon tornado flood sun sunny cloud cloudy fog temperature forecast lightning thunder ice drought cold hot
earthquake tsunami flood landslide wildfire volcano eruption disaster hurricane typhoon evacuate rescue survivor victim tremor quake magnitude emergency relief
house home apartment room bedroom bathroom kitchen door window wall roof floor ceiling furniture sofa couch bed chair table desk lamp shelf cupboard curtain carpet fence porch stair rent tenant landlord
football soccer basketball baseball tennis golf hockey rugby volleyball cricket ball player team coach goal score match game tournament league championship champion cup stadium referee striker goalkeeper kick dribble shoot throw catch pitch field court racket bat fan win defeat final season club olympic medal athlete
run runner race marathon jog sprint jump gym exercise gymnast workout weight muscle fitness athlete yoga stretch trampoline
music song sing singer band guitar piano violin flute drum trumpet orchestra concert album melody instrument musician choir tune stage rock jazz dance
dance dancer ballet theater theatre stage perform performer performance actor actress audience show costume
film movie cinema actor actress director scene star hollywood tv television series episode show comedy drama celebrity
book novel author writer poem poet read library chapter page publish story literature magazine newspaper
art painting painter artist museum gallery sculpture statue exhibition draw sketch portrait paint brush photograph photo camera picture
shirt coat jacket dress trousers pants jeans skirt hat cap shoe boot sock glove scarf clothes suit uniform wear costume sunglasses belt tie fabric
hair face eye nose ear mouth lip tooth tongue head neck beard makeup lipstick mirror comb
hand arm finger leg foot knee shoulder elbow wrist ankle toe body
body blood heart brain skin bone muscle stomach lung liver kidney nerve organ
doctor nurse hospital clinic patient surgery surgeon medicine drug pill disease illness cancer infection virus vaccine symptom treatment therapy cure fever pain diagnosis health medical heart flu diabetes
school teacher student pupil class classroom lesson university college professor exam homework course study learn education campus degree graduate
baby child kid toddler parent mother father son daughter brother sister family birth grandmother grandfather uncle aunt infant
wedding marriage bride groom husband wife marry divorce couple engaged love romance date
money bank cash loan debt credit account mortgage pay payment price cost budget salary wage fee savings invest investor dollar euro pound currency
stock share market investor trading exchange index nasdaq dow profit earnings revenue quarter percent analyst point rally gain fall close wall street bond
company business firm corporation ceo executive chairman merger takeover deal acquisition shareholder profit industry sales customer employee brand
economy economic inflation unemployment growth recession gdp deficit interest rate export import trade tariff budget tax spending crisis
job work worker employee employer boss manager office salary hire career interview resume union strike staff colleague
factory industry manufacturer machine production plant equipment steel worker
oil gas petrol fuel barrel crude pipeline energy coal nuclear reactor electricity power solar grid plant
government president minister parliament congress senate senator lawmaker politician policy cabinet prime democrat republican party opposition political governor mayor chancellor premier reform
election vote voter ballot poll candidate campaign presidential party win result constituency referendum
law court judge jury trial lawyer attorney lawsuit sue verdict appeal convict guilty sentence prosecutor defendant charge legal supreme justice testify rule ruling
crime police officer arrest suspect prison jail murder kill robbery thief steal theft burglar gun shoot victim detective investigation criminal custody gang stab murderer inmate
war army soldier troop military battle weapon missile tank bomb rebel militant airstrike strike attack ceasefire invasion nato peace navy force commander enemy insurgent drone
bomb bombing explosion terrorist terrorism attack blast militant hostage kill wound casualty bomber extremist
syria iraq iran israel palestinian egypt lebanon libya yemen afghanistan pakistan turkey arab saudi jordan damascus baghdad kabul
russia ukraine moscow kiev kremlin
china beijing japan tokyo korea korean pyongyang seoul taiwan asia chinese
diplomat diplomacy ambassador embassy foreign talks summit treaty negotiation agreement sanction united nations bilateral envoy resolution
protest protester demonstration rally riot police crowd tear activist march opposition
refugee migrant immigrant immigration border asylum visa citizen passport
religion church god priest pope bishop pray prayer mosque muslim christian jewish temple catholic faith holy bible worship
computer laptop software program code server internet website web browser network data file download click user password email keyboard screen app windows linux application install hacker database
code function variable string array list loop class method compile javascript python java integer return bug programming syntax parameter exception
phone telephone mobile smartphone call text message ring iphone android tablet battery charger
science scientist research researcher study experiment theory physics chemistry biology laboratory discovery
space planet moon star sun mars earth orbit rocket astronaut spacecraft nasa satellite telescope galaxy
circuit battery bulb wire voltage current switch electric electrical electricity charge lamp plug socket
math mathematics number equation algebra geometry calculate sum multiply divide formula
hotel travel trip tourist tourism vacation holiday flight luggage suitcase passport visa guest tour destination resort beach
shop store buy sell customer price order delivery parcel package refund return receipt discount cart checkout supermarket purchase cheap expensive shipping
garden plant soil seed flower lawn mow water weed vegetable grow rose
tool hammer nail screw drill saw wood wooden glue paint repair build ladder wire pipe
word language sentence grammar speak translate english spelling verb noun meaning pronounce dictionary letter comma
happy sad angry joy fear love hate emotion feeling feel worry anxious excited lonely hope grief anger sorrow pleasure
color colour red blue green yellow black white brown orange purple pink grey gray
north south east west northern southern eastern western
day week month year hour minute
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december`
