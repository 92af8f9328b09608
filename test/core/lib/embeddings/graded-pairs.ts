/** Pairs of sentences with a grade of how alike they are, written for this test: 0 unrelated, 5 the same meaning. */

export interface GradedPair {
  readonly genre: string
  readonly grade: number
  readonly first: string
  readonly second: string
}

// 5: the same meaning. 4: a detail differs. 3: something that matters differs. 2: some facts are shared. 1: a topic is.
const CAPTIONS = `
5.0 | A man is slicing an onion. | A man is cutting up an onion.
0.4 | A dog is chasing a red ball across the lawn. | A woman is playing the violin on a stage.
4.4 | Two children are jumping on a trampoline. | Two kids jump up and down on a trampoline.
2.2 | A cat is sleeping on a sofa. | A cat is climbing a tree.
3.6 | A woman is riding a brown horse. | A woman is riding a horse along the beach.
0.0 | A boy is drinking a glass of milk. | A plane is landing on the runway.
4.8 | The chef is frying eggs in a pan. | Eggs are being fried in a pan by the chef.
1.4 | A man is playing the guitar. | A man is repairing his bicycle.
3.0 | A group of people are dancing in the street. | A crowd of people is standing in the street.
0.8 | Three girls are sitting on a bench in a park. | A white bird is sitting on a branch.
4.0 | A little girl is feeding ducks at the pond. | A young girl feeds bread to some birds near the water.
2.6 | A man in a blue shirt is surfing a big wave. | A surfer falls off his board into the sea.
5.0 | Someone is peeling a potato. | A person is peeling a potato.
0.2 | A motorcycle is parked next to a brick wall. | Two women are chopping vegetables in a kitchen.
3.4 | A black dog is running through the snow. | A brown dog is running through tall grass.
1.8 | A boy is swimming in a pool. | Children are playing beside a swimming pool.
4.6 | An old man is reading a newspaper on the train. | An elderly man reads the paper on a train.
1.0 | A man is riding a bicycle down a hill. | A man is cooking pasta for dinner.
3.2 | The woman is not playing the piano. | The woman is playing the piano.
0.0 | A monkey is eating a banana. | A student is writing on the blackboard.
4.2 | A football player is kicking the ball into the goal. | A soccer player scores a goal.
2.0 | A baby is laughing at a puppy. | A baby is crying in its bed.
4.9 | A man is playing a large flute. | The man plays a big flute.
0.6 | A lady is putting on lipstick. | A lady is carrying boxes up the stairs.
4.4 | A guy is mowing the lawn. | A man cuts the grass with a lawnmower.
1.2 | A woman is pouring milk into a bowl. | A woman is stirring soup in a pot.
2.8 | A bus is waiting at a crossing. | A red double-decker bus is driving through the city.
0.2 | Several cyclists race along a country road. | A kitten is hiding in a paper bag.
3.8 | A person is lifting weights. | A muscular man is doing exercises with a barbell.
2.0 | A horse is grazing in a field. | Two cows are standing in a meadow.
`

const HEADLINES = `
4.8 | Strong earthquake strikes northern Chile | Powerful quake hits north of Chile
0.2 | Parliament votes on new budget plan | Injured striker to miss the rest of the season
3.2 | Two soldiers killed in roadside bombing | Three police officers killed in roadside bomb attack
1.2 | Oil prices rise after storm warning | Gold prices fall as the dollar gains
4.2 | Airline cancels hundreds of flights because of strike | Strike forces airline to cancel flights
0.0 | Scientists find water under the surface of the moon | Supermarket chain opens its thousandth shop
2.4 | President visits flood victims in the south | Floods in the south leave thousands homeless
5.0 | Actor dies aged 84 | Actor dead at 84
1.0 | Court rejects appeal in corruption case | Court orders tech company to pay fine
3.8 | Stocks close higher as tech shares rally | Wall Street ends up on gains in technology stocks
0.4 | Train derails near the capital, dozens hurt | Film about the capital's history wins top prize
3.0 | Rebels seize control of eastern town | Government troops retake eastern town from rebels
4.6 | Ferry sinks off the coast, at least 20 dead | At least 20 people die as ferry sinks off coast
1.6 | Minister resigns over expenses scandal | Minister denies claims about expenses
2.8 | Russia warns against new sanctions | Russia reacts angrily to EU sanctions
0.6 | Iran and world powers resume nuclear talks | Nuclear plant shut down after leak in Japan
4.4 | Heavy snow closes schools across the country | Schools shut nationwide due to heavy snowfall
1.8 | Car bomb kills ten in Baghdad market | Bomb found and defused in Baghdad
0.0 | Singer announces world tour | Unemployment falls to lowest level in a decade
3.6 | Bus crash in India kills 15 | 17 dead after bus falls into gorge in India
4.6 | Pope calls for peace in Middle East | Pontiff appeals for end to violence in Middle East
0.4 | US drone strike kills four in Yemen | Apple unveils thinner tablet
2.2 | Egypt court jails activists | Egyptian police fire tear gas at protesters
4.0 | Wildfire forces thousands to flee homes in California | California blaze prompts mass evacuation
1.4 | North Korea fires missile into the sea | South Korea's president to visit Washington
3.4 | Death toll from Nepal landslide climbs to 60 | Nepal landslide leaves at least 45 dead
0.2 | Champion retains title after five-set thriller | Inflation slows as energy costs ease
4.8 | Former prime minister cleared of bribery | Ex-premier acquitted on bribery charges
`

const NEWS = `
4.0 | The company said its net profit rose 12 percent to $340 million in the third quarter. | Third-quarter net profit at the company increased by 12 percent, it said on Tuesday.
2.0 | The company said its net profit rose 12 percent to $340 million in the third quarter. | Shares in the company fell 3 percent on Tuesday after its finance chief quit.
4.6 | Police arrested two men on Friday in connection with the theft of paintings from the museum. | Two men were arrested Friday over the theft of the museum's paintings, police said.
0.4 | The bridge will be closed to traffic for at least six months while engineers replace the cables. | The singer told reporters that her next album would be her last.
3.4 | The judge sentenced him to eight years in prison for fraud. | He was found guilty of fraud and could face up to ten years in jail.
1.4 | Doctors say the vaccine protects most children against measles. | Doctors at the hospital went on strike over pay on Monday.
4.4 | More than 5,000 people were evacuated from their homes as the fire spread. | The spreading fire forced the evacuation of over 5000 residents.
0.8 | The two leaders will meet in Geneva next month to discuss trade. | A meeting of shareholders in Geneva was called off at short notice.
3.0 | The spacecraft is expected to reach Mars in February and search for signs of life. | The spacecraft was launched in July and will orbit Mars for two years.
4.8 | The union has not ruled out further strikes. | Further strikes have not been ruled out by the union.
1.8 | Officials said the virus had spread to three more provinces. | Officials said they had found the cause of the outbreak in a market.
0.0 | He scored twice in the second half to give his side the win. | Wheat exports are forecast to drop because of the dry summer.
3.8 | The storm knocked out power to nearly 200,000 homes in Florida. | Almost 200,000 customers in Florida were without electricity after the hurricane.
2.6 | The new law bans smoking in restaurants and bars. | Restaurant owners say the smoking ban has hurt their business.
4.2 | The bank plans to cut 2,000 jobs over the next two years. | The bank will lay off 2,000 employees by the end of next year.
1.2 | The museum expects half a million visitors this summer. | The museum's director was dismissed last week.
4.2 | Analysts had expected a profit of 52 cents a share. | Wall Street analysts on average were looking for earnings of 52 cents per share.
3.0 | The suspect, 34, was charged with murder and is being held without bail. | The 34-year-old suspect pleaded not guilty to murder at a hearing on Thursday.
1.6 | Two climbers were rescued from the north face by helicopter. | The helicopter was bought by the mountain rescue service last year.
4.6 | The Commission must take a decision on this matter as soon as possible. | On this matter a decision by the Commission is needed as quickly as possible.
3.6 | That is why I voted in favour of this report, Mr President. | Mr President, I have therefore voted for this report with some hesitation.
1.0 | I should like to thank the rapporteur for her excellent work. | The common fisheries policy has failed, and we all know it.
`

const DEFINITIONS = `
4.6 | a person who designs buildings | someone whose job is to design houses and other buildings
0.2 | a small round fruit with a hard stone | the act of formally leaving a job
3.4 | make a loud noise like that of a dog | a sharp cry made by a dog
1.0 | a tool for cutting wood | a piece of furniture made of wood
4.8 | to come to the end of a journey | arrive at the end of a trip
0.0 | the study of the stars and planets | a soft cheese made from goat's milk
2.4 | the amount of money paid for something | money that is owed to somebody
3.8 | to give someone the right or power to do something | grant authority to someone
0.6 | a vehicle that travels on rails | a person who travels for pleasure
4.2 | the state of being calm and without worry | a feeling of peace, free of anxiety
1.6 | to move quickly on foot | to walk slowly and without purpose
2.8 | a large body of salt water | a large area of water surrounded by land
5.0 | not able to be seen | that cannot be seen
0.4 | to mix ingredients together | to put together a group of soldiers
4.4 | the act of going away from a place | the action of leaving somewhere
0.2 | cause to become wet | a piece of music for two players
3.6 | a feeling of great happiness | the state of being very pleased
1.2 | a person who plays the violin | a person who sells flowers
4.6 | a doctor who performs operations | a physician who specialises in surgery
2.6 | to look at carefully | to look for something that is lost
0.4 | the quality of being honest | the process of removing salt from water
4.0 | make something smaller | reduce in size
3.2 | a document that gives permission to travel abroad | an official paper that proves who someone is
1.4 | a building where goods are made | a building where people pray
4.8 | happening every year | occurring once a year
2.0 | to say that something is true | to ask whether something is true
`

const QUESTIONS = `
4.8 | How do I reset my password? | What should I do to reset my password?
0.0 | How do I reset my password? | Which herbs go well with roast lamb?
4.0 | How can I get my money back for an order? | What is your refund policy for orders?
1.2 | How do I sort a list in Python? | How do I open a file in Python?
3.0 | Is it safe to fly while pregnant? | Is it safe to take painkillers during pregnancy?
4.4 | What is the best way to learn a foreign language? | How can I learn a new language most effectively?
0.6 | What is the best way to learn a foreign language? | What is the best way to clean a leather sofa?
3.6 | Should I paint the ceiling before the walls? | Do you paint the walls or the ceiling first?
2.0 | Why does my laptop get hot when I charge it? | How long does it take to charge a laptop?
4.6 | Can I bring my dog on the train? | Are dogs allowed on trains?
1.6 | How do I stop my cat from scratching the furniture? | Which furniture is best for a house with cats?
0.4 | How many eggs do I need for an omelette? | How many people live in Norway?
3.8 | My phone won't turn on after I dropped it in water. What can I do? | How do I fix a phone that got wet and does not start?
2.4 | Do I need a visa to visit Japan? | How long can I stay in Japan as a tourist?
5.0 | Where can I buy cheap concert tickets? | Where can I buy concert tickets cheaply?
1.0 | Should I use a comma before "and"? | When should I use a semicolon?
4.2 | How do I cancel my subscription? | I want to unsubscribe and stop paying every month.
0.0 | Does anyone know a good dentist in town? | The function returns undefined instead of a promise.
3.4 | How do I convert a string to an integer in JavaScript? | How do I turn a number into a string in JavaScript?
2.2 | What is the difference between a crocodile and an alligator? | Where do alligators live?
4.4 | How do I get rid of ants in my kitchen? | What's the best way to keep ants out of the kitchen?
0.8 | How do I get rid of ants in my kitchen? | How do I get rid of a wart on my finger?
2.6 | Can I deduct the cost of my home office from tax? | Which tax forms does a freelancer need?
4.8 | What does "ad hoc" mean? | What is the meaning of "ad hoc"?
1.4 | How do you pronounce "gnocchi"? | What sauce goes best with gnocchi?
3.4 | How long should I boil an egg? | What is the best method to make hard-boiled eggs?
`

const OPINIONS = `
4.4 | I think you should talk to your boss about it. | You need to discuss this with your manager.
0.2 | I think you should talk to your boss about it. | The recipe calls for two cups of flour.
3.0 | I don't believe the government should raise taxes. | In my opinion taxes are already too high.
4.8 | It depends on what you want to do with it. | That depends on what you plan to do with it.
1.2 | The battery life of this camera is terrible. | The screen of this camera is bright and sharp.
3.8 | The bulb is on because it is in a closed path with the battery. | Bulb A lights since there is a closed path to the battery.
0.6 | You can leave the dough in the fridge overnight. | You can leave your bags at the hotel overnight.
2.4 | The service was slow but the food was delicious. | The waiters were friendly and the food came quickly.
4.0 | This movie was a complete waste of time. | I wasted two hours of my life on this awful film.
1.8 | Try restarting the router and wait a few minutes. | The router is too far away from your bedroom.
3.4 | The terminals are not connected to each other. | The terminals are connected.
0.0 | We loved every minute of our stay by the lake. | Add a semicolon at the end of the statement.
4.6 | As far as I know there is no rule against it. | I'm not aware of any rule that forbids this.
0.4 | You may want to ask your landlord first. | The novel is told from three points of view.
3.2 | It is up to you, but I would wait until spring. | I'd plant them in spring, after the last frost.
2.2 | Just be honest and tell him how you feel. | If he loves you he will understand.
4.2 | There is a gap between the positive and the negative terminal. | The negative terminal is separated from the positive terminal by a gap.
1.4 | There is a gap between the positive and the negative terminal. | The battery in circuit 3 is dead.
3.8 | lol this is so true, happens to me all the time | So true! The same thing always happens to me.
1.0 | The police should be there to protect us. | People should be free to say what they think.
5.0 | I've never heard of that before. | I have never heard about that.
2.8 | You can't compare the two, they are very different. | They look similar but they are not the same.
`

const OTHER_LANGUAGES = `
4.8 | Der Hund läuft durch den Park. | Ein Hund rennt durch den Park.
0.4 | Der Hund läuft durch den Park. | Die Regierung erhöht die Steuern.
4.0 | 今天天气很好，我们去公园散步。 | 今天天气不错，我们去公园走走吧。
0.2 | 今天天气很好，我们去公园散步。 | 公司公布了第三季度的财务报告。
4.4 | El tren llega a las cinco de la tarde. | El tren llegará a las cinco.
0.6 | El tren llega a las cinco de la tarde. | La receta lleva tres huevos y azúcar.
4.2 | 猫がソファの上で寝ています。 | ソファで猫が寝ている。
0.4 | 猫がソファの上で寝ています。 | 会議は午後三時に始まります。
4.4 | Как восстановить пароль? | Как мне восстановить забытый пароль?
0.2 | Как восстановить пароль? | Сегодня вечером будет сильный дождь.
4.0 | 비밀번호를 재설정하고 싶어요. | 비밀번호 재설정 방법을 알려 주세요.
0.2 | 비밀번호를 재설정하고 싶어요. | 오늘 저녁에는 비가 많이 옵니다.
4.0 | ฉันชอบกินข้าวผัดกุ้ง | ฉันอยากกินข้าวผัด
0.4 | ฉันชอบกินข้าวผัดกุ้ง | รถไฟจะออกตอนเก้าโมงเช้า
4.0 | كيف يمكنني إعادة تعيين كلمة المرور؟ | نسيت كلمة المرور وأريد إعادة تعيينها
0.2 | كيف يمكنني إعادة تعيين كلمة المرور؟ | الطقس جميل اليوم في المدينة
`

const GENRES: Readonly<Record<string, string>> = {
  captions: CAPTIONS,
  headlines: HEADLINES,
  news: NEWS,
  definitions: DEFINITIONS,
  questions: QUESTIONS,
  opinions: OPINIONS,
  'other languages': OTHER_LANGUAGES,
}

/** All graded pairs, genre by genre. */
export const GRADED_PAIRS: readonly GradedPair[] = Object.entries(GENRES).flatMap(([genre, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [grade, first, second] = line.split(' | ') as [string, string, string]
      return { genre, grade: Number(grade), first, second }
    }),
)
