/**
 * The scripts that the store runs, in Lua. Each is one step that no other call can interrupt.
 *
 * The keys of a scenario, with examples of what they hold:
 *
 *     llm-api-mock:{default}:epoch                                    3
 *     llm-api-mock:{default}:3:OWNER:scenario|tokens|90000/minute     "5400000 1764230400000"
 *     llm-api-mock:{default}:3:OWNER:scenario|concurrent|5            sorted set: reservation -> end of its lease
 *     llm-api-mock:{default}:unread:PROCESS                           hash: reservation -> epoch
 *
 * - A rate is a leaky bucket, as in src/core/decide/state/leaky-bucket.ts, in whole numbers: a unit (one request or token) is
 *   as many parts as the window has milliseconds, and each millisecond drains as many parts as the rate has units. Its key
 *   holds the parts and the time that they are of, and expires when the bucket is empty. The time is the store's.
 * - A concurrency limit is a set of reservations. The process of a call renews the lease of its place, so the places of a
 *   process that was killed are free when their leases have ended.
 * - A reservation is unread until its process has read the answer. One whose answer was lost is given back by its id: once,
 *   and only if it was made. The next reservation of the process names the answers that were read.
 * - A reset counts up the epoch, which is in the name of every key, so calls of an earlier epoch change nothing.
 */
import { LATE } from './redis-connection.ts'

/** The largest whole number that a script and JavaScript count exactly. */
const MAX_LEVEL = '9007199254740991'
/** An epoch that nobody used for so long has no counters left. */
const EPOCH_MS = 30 * 86_400_000
/** The longest window: what was reserved longer ago has drained. */
const DAY_MS = 86_400_000
/** The epoch of a reservation that was given back: it is never made again. */
const GIVEN_BACK = 'given back'

/** Functions of several scripts. KEYS[1] is the key of the epoch, and ARGV[1] the deadline, in all of them. */
const SHARED = `
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- The error of a script that runs after its deadline, when nobody waits for it any more.
local function late(time)
  if time <= tonumber(ARGV[1]) then return nil end
  return redis.error_reply('${LATE} the clock of the store was changed')
end

local function writeParts(rate, parts, time)
  if parts <= 0 then
    redis.call('DEL', rate.key)
  else
    local emptyAfter = math.ceil(parts / rate.amount) + 1000
    redis.call('SET', rate.key, string.format('%.0f %.0f', parts, time), 'PX', string.format('%.0f', emptyAfter))
  end
end

local function readParts(rate, time)
  local value = redis.call('GET', rate.key)
  if not value then return 0 end
  local parts, at = string.match(value, '(%d+) (%d+)')
  parts, at = tonumber(parts), tonumber(at)
  if at <= time then return math.max(0, parts - (time - at) * rate.amount) end
  -- The clock was put back: a time in the future counts as now.
  writeParts(rate, parts, time)
  return parts
end

-- The rates from the argument number first on, four arguments each, and the number of the argument after them.
local function ratesAt(first, number, owned)
  local rates = {}
  for index = first, first + number * 4 - 1, 4 do
    rates[#rates + 1] = {
      key = owned .. ARGV[index], amount = tonumber(ARGV[index + 1]),
      window = tonumber(ARGV[index + 2]), count = tonumber(ARGV[index + 3])
    }
  end
  return rates, first + number * 4
end

-- The id of a reservation begins with the name of its process: 'a1b2-7'.
local function unreadKey(prefix, reservation)
  return prefix .. 'unread:' .. string.match(reservation, '^[^-]*')
end
`

/**
 * Reserves what a call takes, all or nothing.
 *
 * ARGV: deadline, prefix of all keys, owner, reservation, reservations whose answers were read (with blanks between them),
 * lease in ms, number of rates, (key, amount, window in ms, count) of each, (key, most) of each concurrency limit.
 *
 * Returns 1 if everything was reserved and 0 if not, the epoch, and all levels before.
 */
export const RESERVE = `${SHARED}
local _, prefix, owner, reservation, readReservations, lease, rateCount = unpack(ARGV, 1, 7)
local time = now()
local refusal = late(time)
if refusal then return refusal end

local unread = unreadKey(prefix, reservation)
for id in string.gmatch(readReservations, '%S+') do redis.call('HDEL', unread, id) end
-- It was given back before this script ran.
if redis.call('HEXISTS', unread, reservation) == 1 then return redis.error_reply('${LATE} the call has ended') end

local epoch = redis.call('GET', KEYS[1])
if epoch then redis.call('PEXPIRE', KEYS[1], ${EPOCH_MS}) else epoch = '0' end
local owned = prefix .. epoch .. ':' .. owner .. ':'
local answer = {1, tonumber(epoch)}

-- Read all levels before anything is written.
local rates, firstLimit = ratesAt(8, tonumber(rateCount), owned)
for _, rate in ipairs(rates) do
  rate.parts = readParts(rate, time)
  answer[#answer + 1] = rate.parts
  if rate.parts > (rate.amount - rate.count) * rate.window then answer[1] = 0 end
end
local leaseEnd = string.format('%.0f', time + lease)
for index = firstLimit, #ARGV, 2 do
  local key, most = owned .. ARGV[index], tonumber(ARGV[index + 1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', time))
  -- A longer lease is of before the clock was put back.
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. leaseEnd, '+inf')) do redis.call('ZADD', key, leaseEnd, place) end
  local used = redis.call('ZCARD', key)
  answer[#answer + 1] = used
  if used >= most then answer[1] = 0 end
end
if answer[1] == 0 then return answer end

for _, rate in ipairs(rates) do writeParts(rate, rate.parts + rate.count * rate.window, time) end
for index = firstLimit, #ARGV, 2 do
  local key = owned .. ARGV[index]
  redis.call('ZADD', key, leaseEnd, reservation)
  redis.call('PEXPIRE', key, lease)
end
redis.call('HSET', unread, reservation, epoch)
redis.call('PEXPIRE', unread, ${DAY_MS})
return answer`

/**
 * Changes the counts of a reservation and frees its places. It runs after the deadline, too.
 *
 * ARGV: deadline, prefix of all keys, owner, reservation, its epoch (empty when the answer of the reservation was lost),
 * number of rates, (key, amount, window in ms, change of the count) of each, the keys of concurrency limits.
 */
export const SETTLE = `${SHARED}
local _, prefix, owner, reservation, epoch, rateCount = unpack(ARGV, 1, 6)
if epoch == '' then
  -- Give it back if it was made. If its script comes later, it finds this mark and makes nothing.
  local unread = unreadKey(prefix, reservation)
  epoch = redis.call('HGET', unread, reservation)
  redis.call('HSET', unread, reservation, '${GIVEN_BACK}')
  redis.call('PEXPIRE', unread, ${DAY_MS})
end
if (redis.call('GET', KEYS[1]) or '0') ~= epoch then return 0 end

local time = now()
local owned = prefix .. epoch .. ':' .. owner .. ':'
local rates, firstLimit = ratesAt(7, tonumber(rateCount), owned)
for _, rate in ipairs(rates) do
  local parts = readParts(rate, time) + rate.count * rate.window
  writeParts(rate, math.min(parts, ${MAX_LEVEL}), time)
end
for index = firstLimit, #ARGV do redis.call('ZREM', owned .. ARGV[index], reservation) end
return 1`

/**
 * Renews the leases of places.
 *
 * ARGV: deadline, prefix of all keys, epoch, lease in ms, (owner and key, reservation) of each place.
 */
export const RENEW = `${SHARED}
local _, prefix, epoch, lease = unpack(ARGV, 1, 4)
local time = now()
local refusal = late(time)
if refusal then return refusal end
if (redis.call('GET', KEYS[1]) or '0') ~= epoch then return 0 end
for index = 5, #ARGV, 2 do
  local key, reservation = prefix .. epoch .. ':' .. ARGV[index], ARGV[index + 1]
  redis.call('ZADD', key, string.format('%.0f', time + lease), reservation)
  redis.call('PEXPIRE', key, lease)
end
return 1`

/** Empties all counters of a scenario, by counting up its epoch. ARGV: deadline. */
export const RESET = `${SHARED}
local time = now()
local refusal = late(time)
if refusal then return refusal end
redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ${EPOCH_MS})
return 1`
