/**
 * Groups of English words that mean much the same, so that 'car' is nearer to 'automobile' than spelling says.
 *
 * It is here because people try a mock's embeddings with just such pairs, and because letters alone can't see them.
 * Without it the rank correlation with the graded pairs of the tests falls from 0.77 to 0.65. Only everyday words; one
 * word may stand in several groups, and its forms are found by their stem.
 */

/** Groups are separated by a bar. */
export const RELATED_WORDS = `
car automobile auto vehicle | truck lorry van pickup | bicycle bike cycle cyclist | motorcycle motorbike scooter | train
railway rail | plane airplane aircraft jet airliner | ship boat ferry vessel yacht sail | flight fly airline airport
aviation | road street highway avenue | man guy gentleman male | woman lady female girl | boy lad kid | child kid
toddler baby infant boy girl | person people someone somebody human individual | mother mom mum mama parent | father dad
daddy papa parent | husband wife spouse married marriage wedding | friend buddy pal mate | old elderly aged senior
ancient | young youth teenager juvenile | king queen prince princess royal monarch | dog puppy hound canine pup | cat
kitten feline kitty | horse pony stallion | bird duck goose pigeon | fish salmon tuna | animal pet creature beast | food
meal dish cuisine | eat dine consume feed meal | dinner supper lunch breakfast meal | cook fry bake roast boil grill
chef recipe kitchen | slice cut chop carve dice | drink beverage sip | coffee tea espresso | beer wine alcohol liquor |
bread dough loaf toast | meat beef pork lamb steak | restaurant cafe diner eatery waiter | fruit apple banana orange |
vegetable onion potato carrot tomato | sweet sugar candy dessert cake | home house residence apartment flat dwelling |
room bedroom bathroom kitchen | sofa couch settee furniture | chair seat bench | bed sleep asleep nap rest | build
construct construction building architect | repair fix mend restore | wall fence barrier | door gate entrance | big
large huge enormous giant massive vast | small little tiny mini | tall high lofty | fast quick rapid swift speedy | slow
sluggish gradual | good great excellent fine superb | bad terrible awful horrible poor dreadful | happy glad joyful
cheerful pleased delighted joy | sad unhappy sorrow upset | angry furious mad rage anger | afraid scared fear frightened
terrified | calm peaceful peace quiet tranquil | worry anxiety anxious concern stress | love adore like enjoy |
beautiful pretty lovely gorgeous handsome | clean wash rinse tidy | dirty filthy stained | hot warm heat | cold cool
chilly freeze | wet damp water soak | dry arid drought | begin start commence launch | end finish stop conclude complete
| buy purchase acquire shop order | sell sale vend | pay payment fee charge bill cost price | money cash fund dollar
euro | refund reimburse return repay money | cheap inexpensive affordable bargain low | expensive costly pricey | rich
wealthy | poor poverty | job work employment career occupation profession | employee worker staff | boss manager
supervisor employer | hire recruit employ | fire dismiss sack layoff redundant | company firm business corporation
enterprise | store shop supermarket market retailer | customer client shopper consumer | product goods item merchandise
| profit earnings income revenue gain | loss deficit | stock share equity | bank lender loan credit | tax levy duty |
rise increase climb gain grow surge rally up | fall drop decline decrease plunge sink down | cut reduce lower trim slash
| economy economic finance financial | trade commerce export import | kill murder slay die dead fatal | wound injure
hurt harm | attack assault strike raid | bomb explosion blast bombing explode | shoot gun shot gunman fire rifle | war
conflict battle fight combat | army military troop soldier force | rebel insurgent militant guerrilla | terrorist
terrorism extremist | weapon arms missile | police officer cop policeman | arrest detain custody capture | prison jail
prisoner inmate | court judge trial tribunal legal | law legislation rule bill act legal | crime criminal offence
offender | steal theft rob robbery thief burglar | guilty convict conviction sentence | lawyer attorney counsel | fraud
scam corruption | government state administration | president leader | minister secretary official | parliament congress
senate lawmaker | election vote poll ballot | party political politician politics | protest demonstration rally march
demonstrator | agree accept approve consent | refuse reject deny decline | permit allow let grant authorize authority
permission may right | forbid ban prohibit | sanction embargo penalty | border frontier | country nation national state
| city town urban municipal | village rural countryside | earthquake quake tremor seismic | storm hurricane typhoon
cyclone tornado | flood flooding deluge | rain shower drizzle wet | snow snowfall blizzard | weather climate forecast |
fire blaze wildfire flame burn | sea ocean water coast beach shore | river stream lake pond water | mountain hill peak |
forest wood tree jungle | sky star planet space moon astronomy | doctor physician medic | hospital clinic medical
medicine | sick ill illness disease sickness | drug medication pill painkiller medicine | nurse patient | virus
infection outbreak epidemic | vaccine vaccination jab | pregnant pregnancy | health healthy fitness | pain ache sore
hurt | tooth dentist dental | teacher professor instructor tutor | student pupil | school college university education
classroom | learn study teach | book novel read | write author writer text | movie film cinema | song music sing tune
melody | singer musician band | play perform act | actor actress performer | dance dancer ballet | guitar violin piano
flute instrument | picture photo photograph image | paint painting painter draw | art artist museum gallery | television
tv broadcast | newspaper paper journal press | story tale narrative | soccer football | game match play sport | win
victory beat defeat triumph | lose loss defeat | goal score | team side squad club | player athlete striker | race run
sprint marathon | run jog race sprint | walk stroll hike wander | jump leap hop bounce | climb ascend scale | throw toss
hurl | hit strike beat punch | carry haul transport | push shove | pull drag tug | move go travel | travel trip journey
tour voyage tourist tourism | arrive reach come arrival | leave depart exit departure | enter join | return back | stay
remain | visit tour guest | hotel motel hostel inn accommodation | luggage baggage suitcase bag | ticket pass fare |
passport visa | holiday vacation | map route direction | say state tell announce declare report | speak talk discuss
chat conversation | discuss discussion debate talk | ask question query inquire | answer reply respond response | shout
yell scream cry | laugh giggle chuckle smile | cry weep sob tear | look watch see view observe | hear listen sound |
think believe opinion consider suppose | know understand realize | idea thought concept notion | plan scheme intend
intention program | want wish desire | need require necessary must | help assist aid support | give provide offer supply
| get obtain receive | take grab seize | find discover locate | search seek hunt look | show display present | hide
conceal | keep hold retain | change alter modify convert turn transform | make create produce | break smash shatter
broken | destroy demolish ruin | open unlock | close shut lock closure | put place set lay | connect link join attach |
separate split divide | computer laptop pc notebook | phone telephone smartphone mobile cellphone | internet web online
network | website site webpage | email mail message | software program app application | file document folder | delete
remove erase | save store backup | password passcode credential login | login sign logon account | cancel unsubscribe
terminate stop | subscription subscribe membership plan | error bug fault failure exception | crash fail freeze break |
code program programming script | function method procedure | string text | number integer numeric digit | list array |
database sql table | server host backend | update upgrade | install setup | download upload | button click press |
screen display monitor | battery charge power | power electricity energy | light lamp bulb bright | engine motor |
nuclear atomic reactor | scientist researcher science research | test exam experiment | deliver delivery ship shipping
shipment | package parcel box | broken damage defective | complain complaint | guarantee warranty | almost nearly about
approximately around | many numerous several lots multiple | some few | all every entire whole | often frequently |
maybe perhaps possibly | suddenly abruptly | important significant crucial vital | strong powerful mighty | weak feeble
| hard difficult tough | easy simple | new modern recent | strange odd weird unusual | correct right accurate true |
wrong incorrect false mistaken | dangerous unsafe risky danger risk hazard | safe secure safety security | free liberty
freedom | different distinct various difference | same identical equal alike | problem issue trouble difficulty | reason
cause why | result outcome effect | way method manner approach | part piece portion section | group crowd team bunch |
amount quantity number | day daily | night evening overnight | year annual yearly | month monthly | week weekly |
morning dawn | two 2 second pair couple | three 3 third | four 4 fourth | five 5 fifth | six 6 | seven 7 | eight 8 |
nine 9 | ten 10 | one 1 first single | hundred 100 | thousand 1000 | million 1000000 | america american usa | britain
british uk england english | russia russian moscow | china chinese beijing | france french paris | germany german berlin
| japan japanese tokyo | israel israeli | iran iranian tehran | iraq iraqi baghdad | india indian | europe european eu |
spain spanish | italy italian | hat cap helmet | shirt coat jacket clothes clothing dress wear | shoe boot sandal | bag
purse backpack | ball football basketball | grass lawn field meadow | garden yard park | flower rose blossom plant |
ground floor earth soil | box container crate | knife blade sword | cup mug glass | bottle jar | road path track trail |
noise sound loud | smell odor scent | act action activity deed | state condition status | quality property
characteristic attribute feature trait | cause make induce trigger bring | become turn get | group set collection |
piece bit fragment scrap | being existence exist | ability capable able capacity skill talent | tool instrument
implement device gadget equipment | machine device apparatus appliance | substance material stuff matter | shape form
figure | mark sign symbol | surface top face | edge border margin rim boundary | center centre middle core | side flank
| bottom base foot | line row queue | place location site spot position | area region zone territory district | country
land territory | distance length range | size dimension magnitude extent | degree level extent grade | speed pace rate
velocity | force power strength energy | effort attempt try endeavor | skill expertise ability | purpose aim goal
objective target | intend plan mean aim | event incident occurrence happening | happen occur take | process procedure
operation | move motion movement shift | movement campaign | remove take withdraw extract eliminate | add include insert
append | increase raise boost expand enlarge | expand extend stretch spread widen | reduce decrease lessen diminish
shrink | damage harm hurt injure impair | protect defend guard shield | support back endorse favour favor | oppose
resist against object | control manage run govern direct | manage cope handle deal | lead guide conduct head | follow
pursue chase track | avoid escape evade dodge prevent | prevent stop block hinder avert | stop halt cease quit pause |
continue resume proceed persist remain last | delay postpone defer wait | hurry rush hasten | wait await expect | expect
anticipate predict forecast | hope wish expect | guess estimate suppose assume | decide determine resolve decision |
choose select pick opt choice | judge assess evaluate rate | compare contrast | measure gauge size | count number
calculate | check verify confirm examine inspect | examine inspect investigate study analyze analyse | investigate probe
inquiry investigation | test try trial | prove show demonstrate evidence proof | explain clarify describe account |
describe depict portray | mention refer cite note | note notice observe remark | claim assert allege insist | admit
acknowledge confess concede | deny refute reject dismiss | accuse blame charge allege | criticize criticise condemn
denounce slam blast | praise commend laud hail | promise pledge vow swear | warn caution alert warning | threaten threat
menace | urge call appeal press demand | demand request ask require | order command instruct | advise recommend suggest
counsel advice | suggest propose imply offer | offer bid propose | apologize apologise sorry apology regret | thank
grateful appreciate | greet welcome | meet encounter gather join | gather collect assemble | meeting conference summit
talks | negotiate negotiation talks bargain | deal agreement pact accord treaty contract | peace truce ceasefire |
alliance coalition union league | member participant | organization organisation agency body institution | department
ministry office bureau | committee panel commission council board | chief head leader boss | premier prime | governor
mayor | spokesman spokeswoman spokesperson | opponent rival enemy foe competitor | partner ally colleague associate |
expert specialist professional | worker laborer labourer | farmer peasant grower | chairman chairwoman chair president |
ceo executive chief | founder creator inventor | successor heir | victim casualty | survivor survive | hero star
celebrity | crew staff personnel | citizen resident inhabitant | refugee migrant immigrant | neighbor neighbour |
stranger unknown | visitor guest tourist | passenger traveler traveller commuter | pilot captain | killer murderer
assassin | suspect accused defendant | witness testify testimony | prosecutor prosecution | sue lawsuit suit litigation
| appeal petition plea | acquit clear exonerate | release free discharge | escape flee run | kidnap abduct hostage |
beat hit batter thrash | stab knife | burn scorch | drown sink | crash collide collision smash wreck accident | derail
derailment | collapse fall crumble | disaster catastrophe tragedy calamity | emergency crisis | rescue save | evacuate
evacuation flee | dead death die toll fatal deadly kill | injured hurt wounded injure | missing lost disappear vanish |
bury funeral burial grave | deploy station send | withdraw pull retreat | invade invasion occupy | seize capture take |
defeat overcome conquer | surrender yield | spy espionage surveillance | hack hacker cyber | leak disclose reveal expose
| reveal unveil disclose announce | publish release issue print | launch introduce unveil release | report account story
| news report headline | interview talk question | speech address talk lecture | statement declaration announcement |
letter note message | rumor rumour gossip | secret hidden confidential classified | truth fact reality | lie false
untrue dishonest | mistake error blunder slip | trick deceive fool cheat | joke humor humour funny | fun enjoyment
amusement entertain | funny amusing hilarious comic | boring dull tedious | interesting fascinating intriguing |
exciting thrilling | amazing wonderful incredible fantastic awesome marvelous | perfect ideal flawless | pleasant nice
agreeable delightful | nice kind friendly pleasant | kind generous gentle caring | cruel brutal harsh | rude impolite |
honest sincere truthful | brave courageous bold | shy timid | proud pride | lazy idle | clever smart intelligent bright
brilliant | stupid foolish silly dumb | crazy mad insane | tired exhausted weary fatigue | hungry hunger starve |
thirsty thirst | asleep sleeping | awake wake | alive living live | sure certain confident | likely probable | clear
obvious evident plain | exact precise accurate | rare uncommon scarce | common usual typical frequent normal | normal
ordinary regular standard | special particular specific | famous renowned celebrated | popular favorite favourite | main
chief principal primary major | major big significant | minor small slight | basic fundamental essential | extra
additional more another | enough sufficient adequate | empty vacant blank | full filled packed | heavy weighty | thick
dense fat | thin slim slender skinny | wide broad | narrow thin | deep depth | long lengthy | short brief | round
circular circle | flat level even smooth | sharp keen pointed | soft gentle mild | rough uneven coarse | tight firm |
loose slack | quiet silent silence | loud noisy noise | bright shiny brilliant | dark dim darkness black | fresh new |
raw uncooked | ripe mature | modern contemporary | ancient antique old | early soon | late overdue delayed | recent
latest new | future upcoming | former previous past ex | next following | final last ultimate | first initial original |
beginning start outset | ending end conclusion | anniversary birthday | carry bear bring | bring fetch deliver | lift
raise hoist | drop fall lower | hang suspend | lean bend | turn rotate spin twist | roll spin | shake tremble shiver |
slide slip glide | crawl creep | fly soar | swim float | dive plunge | ride drive | drive steer | park parking | sit
seat | stand rise | kneel crouch squat | lie rest recline | hug embrace cuddle | touch feel handle | hold grip grasp |
catch grab | rub stroke pet | scratch scrape | tie bind fasten attach | wrap cover | cover blanket hide | fill stuff
load pack | pour spill | mix blend stir combine | combine merge unite join | merger takeover acquisition acquire buy |
share divide split | spread scatter | dig bury | plant sow | grow develop | cut mow clip trim | peel skin | wipe clean |
sweep brush | stare gaze watch look | peek glance look | taste flavor flavour | smile grin | applaud clap cheer | point
indicate | lawnmower mow | barbell dumbbell weight | exercise workout train gym | train coach | practice practise
rehearse train | compete contest competition race | champion winner title | tournament championship cup league | medal
prize award trophy | coach trainer manager | referee umpire | goalkeeper goalie keeper | fan supporter | stadium arena |
ski skier snowboard | surf surfer wave surfboard | skate skateboard skater skateboarder | gymnast gymnastics | swimmer
swim | wrestle wrestler | tennis racket | golf golfer | baseball bat | hockey puck | karate judo martial | chess board |
crowd audience spectator | stage platform | concert gig show | drum drummer | guitar guitarist | piano pianist keyboard
| violin violinist fiddle | orchestra band | album record disc | dvd disc video | video clip film recording | camera
photographer | cow cattle bull ox calf | sheep lamb | pig hog | chicken hen rooster | rabbit bunny hare | mouse rat
rodent | monkey ape chimp gorilla | lion tiger panther leopard | bear panda | deer elk | snake serpent | frog toad |
turtle tortoise | insect bug ant bee | rock stone boulder | sand desert | mud dirt soil | dust ash | ice freeze frozen |
fog mist cloud | sun sunshine sunny solar | wind breeze windy | thunder lightning | island isle | bay gulf | waterfall
cascade | valley canyon gorge | cliff ledge | stair step staircase ladder | window glass pane | roof ceiling | corridor
hall hallway | yard garden backyard lawn | porch balcony terrace | fountain spring | bridge overpass | tower skyscraper
| castle palace | church cathedral chapel | muslim islam islamic mosque | priest pastor clergy bishop | pope pontiff
vatican | god deity lord | pray prayer worship | ghost spirit soul | table desk | drawer cupboard cabinet | blanket
quilt | pillow cushion | towel cloth | soap detergent | rope string cord | wire cable | fork spoon | bowl dish plate |
pan pot skillet | oven stove cooker | fridge refrigerator freezer | soup stew broth | sauce gravy dressing | pasta
spaghetti noodle | rice grain | shrimp prawn | cookie biscuit | jelly jam | pepper spice | garlic onion | cucumber
zucchini | trousers pants jeans | dress skirt gown | sweater jumper pullover | glasses spectacles sunglasses | jewelry
ring necklace | cloth fabric textile | forehead face | stomach belly abdomen | throat neck | blood bleed | bone skeleton
| brain mind mental | heart cardiac | cancer tumor tumour | surgery operation surgeon | cure heal treat treatment
therapy remedy | cough cold flu influenza | fever temperature | wound cut | blind sight | hospital ward | ambulance
paramedic | bankrupt bankruptcy insolvent | debt owe loan | invest investment investor | salary wage pay | rent lease
tenant | insurance insure | percent percentage pct | quarter fourth | currency money | discount sale reduction | receipt
invoice bill | budget spending | estimate forecast projection | analyst economist | growth expansion grow | recession
slump downturn | inflation price | jobless unemployed unemployment | oil crude petroleum | gas fuel petrol gasoline |
coal mine miner mining | pollution contaminate | climate environment | volcano eruption erupt lava | landslide mudslide
avalanche | tsunami wave | epidemic pandemic plague | famine hunger | drone aircraft | helicopter chopper | spacecraft
spaceship shuttle rocket | satellite orbit | astronaut cosmonaut | mars planet | syria syrian damascus | egypt egyptian
cairo | libya libyan | palestinian palestine gaza | turkey turkish | pakistan pakistani islamabad | afghanistan afghan
kabul | ukraine ukrainian kiev kyiv | korea korean seoul pyongyang | mexico mexican | brazil brazilian | canada canadian
| australia australian sydney | greece greek athens | poland polish warsaw | ireland irish dublin | scotland scottish |
sweden swedish stockholm | norway norwegian oslo | denmark danish | netherlands dutch amsterdam | belgium belgian
brussels | swiss switzerland | africa african | asia asian | lebanon lebanese beirut | saudi arabia riyadh | thailand
thai bangkok | vietnam vietnamese | philippines philippine manila | indonesia indonesian jakarta | nepal nepalese
kathmandu | bangladesh bangladeshi dhaka | nigeria nigerian | kenya kenyan nairobi | somalia somali | cuba cuban havana
| venezuela venezuelan caracas | argentina argentine | chile chilean | colombia colombian | un united nations | eu
european union | fbi cia | republican gop conservative | democrat democratic liberal | constitution constitutional |
referendum vote | democracy democratic | rights right freedom | race racial ethnic | racism racist discrimination | gang
mafia | drug cocaine heroin narcotic | drunk alcohol intoxicated | smoke cigarette tobacco | gamble bet casino | toy
doll | puzzle riddle | cartoon animation | costume outfit | homework assignment | exam grade | degree diploma | course
class lesson | professor academic | library book | dictionary word | word term phrase | name title | sentence phrase |
language tongue | translate interpret translation | meaning mean definition sense | page paper sheet | pen pencil |
write scribble record | sign signature | list record | chapter section | magazine journal | address location | folder
directory | mouse cursor | browser chrome firefox | window tab | link url | icon logo | variable value | object instance
| loop iterate repeat | thread process | memory ram | disk drive storage | user account | run execute | compile build |
debug fix bug | test check | config configuration setting option | default standard | version release | request query
call | token key | limit maximum cap quota | minimum least | exceed surpass over | fail failure unsuccessful | succeed
success successful | possible potential feasible | impossible cannot | useful helpful handy | useless worthless | lucky
fortunate luck | fate destiny | chance opportunity | advantage benefit profit | disadvantage drawback | rule regulation
law | duty obligation responsibility | right entitlement | crime sin | punish punishment penalty fine | reward prize
award | gift present donate donation give | borrow lend loan | steal take | own possess have belong | property
possession asset estate | rich fortune wealth | charity donation aid | volunteer help | serve service | obey comply
follow | ignore neglect disregard | remember recall memory | imagine dream fantasy | understand comprehend grasp |
confuse puzzle baffle | surprise astonish amaze shock | shock stun | excite thrill | annoy irritate bother | disappoint
disappointment | embarrass ashamed shame | hate dislike detest loathe | envy jealous | trust believe faith | doubt
suspect uncertain | respect admire esteem | mock ridicule | encourage motivate inspire | persuade convince | force
compel oblige | permit license licence | official formal | private personal | public open | local regional | national
nationwide | international global worldwide world | foreign overseas abroad | capital city | center downtown | suburb
outskirts | community society | population people inhabitants | generation age | tradition custom | history historic
past | culture cultural | religion religious faith | war warfare military | nuclear atomic weapon | mate couple pair |
twin double | single alone lone | lonely alone | together jointly | separate apart | each every | both two | dozen
twelve 12 | twenty 20 | thirty 30 | forty 40 | fifty 50 | ninety 90 | eleven 11 | billion bn | twice double two | eighty
80 | seventy 70 | sixty 60 | fifteen 15 | outdoors outside outdoor | indoors inside indoor | above over | below under
beneath underneath | behind back | front ahead | near close beside next | far distant remote | across through | away off
| upward up | downward down | forward ahead | backward back | because since therefore so hence thus | but however though
although yet | also too as | instead rather | especially particularly | very really extremely highly | mostly mainly
largely | only just merely | completely totally entirely fully | probably likely | certainly surely definitely | finally
eventually | immediately instantly | currently now presently | previously before formerly | usually normally generally |
always forever | again once | here there | today now | tonight evening
`
