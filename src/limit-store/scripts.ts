/**
 * The scripts that the store runs, each as one step that no other call can interrupt.
 *
 * A rate is a leaky bucket, as in src/core/decide/state/leaky-bucket.ts, in whole numbers: a unit (one request or token) is as many
 * parts as the window has milliseconds, and each millisecond drains as many parts as the rate has units. Its key holds
 * the parts and the time that they are of, and expires when the bucket is empty. The time is the store's.
 *
 * A concurrency limit is a sorted set of reservations. The score is the end of a lease, which the process of the call
 * renews, so the places of a process that was killed are free when their leases have ended.
 *
 * A hash for each process has the epochs of its reservations until the process has read their answers, so that one whose
 * answer was lost is given back once, and only if it was made. The next reservation names the answers that were read.
 *
 * Every key contains an epoch. A reset counts it up, so that calls of an earlier epoch change nothing.
 */
import { LATE } from './redis-connection.ts'

const MAX_LEVEL = '9007199254740991'
/** An epoch that nobody used for so long has no counters left. */
const EPOCH_MS = 30 * 86_400_000
/** The longest window: what was reserved longer ago has drained. */
const DAY_MS = 86_400_000
/** The epoch of a reservation that was given back: it is never made again. */
const GIVEN_BACK = 'given back'

const SHARED = `
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function late(time)
  if time <= tonumber(ARGV[1]) then return nil end
  return redis.error_reply('${LATE} the clock of the store was changed')
end
local function write(key, amount, parts, time)
  if parts <= 0 then
    redis.call('DEL', key)
  else
    local left = math.ceil(parts / amount) + 1000
    redis.call('SET', key, string.format('%.0f %.0f', parts, time), 'PX', string.format('%.0f', left))
  end
end
local function read(key, amount, time)
  local value = redis.call('GET', key)
  if not value then return 0 end
  local parts, at = string.match(value, '(%d+) (%d+)')
  parts, at = tonumber(parts), tonumber(at)
  if at <= time then return math.max(0, parts - (time - at) * amount) end
  -- The clock was put back: a time in the future counts as now.
  write(key, amount, parts, time)
  return parts
end
local function unreadKey(start, reservation)
  return start .. 'unread:' .. string.match(reservation, '^[^-]*')
end
local function ratesAt(first, number, prefix)
  local rates = {}
  for index = first, first + number * 4 - 1, 4 do
    rates[#rates + 1] = {
      key = prefix .. ARGV[index], amount = tonumber(ARGV[index + 1]),
      window = tonumber(ARGV[index + 2]), count = tonumber(ARGV[index + 3])
    }
  end
  return rates, first + number * 4
end
`

/**
 * KEYS: the epoch. ARGV: deadline, prefix, owner, reservation, reservations whose answers were read (with blanks between
 * them), lease in ms, number of rates, (key, amount, window in ms, count) of each, (key, most) of each concurrency limit.
 * Returns 1 if everything was reserved, the epoch, and all levels before.
 */
export const RESERVE = `${SHARED}
local _, start, owner, reservation, wereRead, lease, number = unpack(ARGV, 1, 7)
local time = now()
local refusal = late(time)
if refusal then return refusal end
local unread = unreadKey(start, reservation)
for id in string.gmatch(wereRead, '%S+') do redis.call('HDEL', unread, id) end
if redis.call('HEXISTS', unread, reservation) == 1 then return redis.error_reply('${LATE} the call has ended') end
local epoch = redis.call('GET', KEYS[1])
if epoch then redis.call('PEXPIRE', KEYS[1], ${EPOCH_MS}) else epoch = '0' end
local prefix = start .. epoch .. ':' .. owner .. ':'
local answer = {1, tonumber(epoch)}
local rates, firstLimit = ratesAt(8, tonumber(number), prefix)
for _, rate in ipairs(rates) do
  rate.parts = read(rate.key, rate.amount, time)
  answer[#answer + 1] = rate.parts
  if rate.parts > (rate.amount - rate.count) * rate.window then answer[1] = 0 end
end
for index = firstLimit, #ARGV, 2 do
  local key, most = prefix .. ARGV[index], tonumber(ARGV[index + 1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', time))
  local longest = string.format('%.0f', time + lease)
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. longest, '+inf')) do redis.call('ZADD', key, longest, place) end
  local used = redis.call('ZCARD', key)
  answer[#answer + 1] = used
  if used >= most then answer[1] = 0 end
end
if answer[1] == 1 then
  for _, rate in ipairs(rates) do
    write(rate.key, rate.amount, rate.parts + rate.count * rate.window, time)
  end
  for index = firstLimit, #ARGV, 2 do
    local key = prefix .. ARGV[index]
    redis.call('ZADD', key, string.format('%.0f', time + lease), reservation)
    redis.call('PEXPIRE', key, lease)
  end
  redis.call('HSET', unread, reservation, epoch)
  redis.call('PEXPIRE', unread, ${DAY_MS})
end
return answer`

/**
 * KEYS: the epoch. ARGV: deadline, prefix, owner, reservation, epoch, number of rates, (key, amount, window in ms, change
 * of the count) of each, the keys of concurrency limits. It runs late, too. The epoch is empty when the answer of the
 * reservation was lost.
 */
export const SETTLE = `${SHARED}
local _, start, owner, reservation, epoch, number = unpack(ARGV, 1, 6)
if epoch == '' then
  local unread = unreadKey(start, reservation)
  epoch = redis.call('HGET', unread, reservation)
  redis.call('HSET', unread, reservation, '${GIVEN_BACK}')
  redis.call('PEXPIRE', unread, ${DAY_MS})
end
if (redis.call('GET', KEYS[1]) or '0') ~= epoch then return 0 end
local time = now()
local prefix = start .. epoch .. ':' .. owner .. ':'
local rates, firstLimit = ratesAt(7, tonumber(number), prefix)
for _, rate in ipairs(rates) do
  local parts = read(rate.key, rate.amount, time)
  write(rate.key, rate.amount, math.min(parts + rate.count * rate.window, ${MAX_LEVEL}), time)
end
for index = firstLimit, #ARGV do redis.call('ZREM', prefix .. ARGV[index], reservation) end
return 1`

/** KEYS: the epoch. ARGV: deadline, prefix, epoch, lease in ms, (owner and key, reservation) of each place. */
export const RENEW = `${SHARED}
local _, start, epoch, lease = unpack(ARGV, 1, 6)
local time = now()
local refusal = late(time)
if refusal then return refusal end
if (redis.call('GET', KEYS[1]) or '0') ~= epoch then return 0 end
for index = 5, #ARGV, 2 do
  local key, reservation = start .. epoch .. ':' .. ARGV[index], ARGV[index + 1]
  redis.call('ZADD', key, string.format('%.0f', time + lease), reservation)
  redis.call('PEXPIRE', key, lease)
end
return 1`

/** Counts up the epoch at a key. ARGV: deadline. */
export const RESET = `${SHARED}
local time = now()
local refusal = late(time)
if refusal then return refusal end
redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ${EPOCH_MS})
return 1`
