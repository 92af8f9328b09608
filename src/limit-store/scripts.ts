/**
 * The scripts that the store runs, each as one step that no other call can interrupt.
 *
 * A rate is a leaky bucket, as in src/core/state/leaky-bucket.ts, in whole numbers: a unit (one request or token) is as many
 * parts as the window has milliseconds, and each millisecond drains as many parts as the rate has units. Its key holds
 * the parts and the time that they are of, and expires when the bucket is empty. The time is the store's.
 *
 * A concurrency limit is a sorted set of reservations. The score is the end of a lease, which the process of the call
 * renews, so the places of a process that was killed are free when their leases have ended.
 *
 * Every key contains an epoch. A reset counts it up, so that calls of an earlier epoch change nothing.
 */

const MAX_LEVEL = '9007199254740991'
/** An epoch that nobody used for so long has no counters left. */
const EPOCH_MS = 30 * 86_400_000

const SHARED = `
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function read(key, amount, time)
  local value = redis.call('GET', key)
  if not value then return 0, time end
  local parts, at = string.match(value, '(%d+) (%d+)')
  parts, at = tonumber(parts), tonumber(at)
  if at > time then return parts, at end
  return math.max(0, parts - (time - at) * amount), time
end
local function write(key, amount, parts, at, time)
  if parts <= 0 then
    redis.call('DEL', key)
  else
    local left = at - time + math.ceil(parts / amount) + 1000
    redis.call('SET', key, string.format('%.0f %.0f', parts, at), 'PX', string.format('%.0f', left))
  end
end
`

/**
 * KEYS: the epoch. ARGV: prefix, owner, reservation, lease in ms, number of rates, (key, amount, window in ms, count) of
 * each, (key, most) of each concurrency limit. Returns 1 if everything was reserved, the epoch, and all levels before.
 */
export const RESERVE = `${SHARED}
local time = now()
local epoch = redis.call('GET', KEYS[1])
if epoch then redis.call('PEXPIRE', KEYS[1], ${EPOCH_MS}) else epoch = '0' end
local prefix = ARGV[1] .. epoch .. ':' .. ARGV[2] .. ':'
local lease = tonumber(ARGV[4])
local first = 6 + tonumber(ARGV[5]) * 4
local answer = {1, tonumber(epoch)}
local rates = {}
for index = 6, first - 1, 4 do
  local key, amount = prefix .. ARGV[index], tonumber(ARGV[index + 1])
  local window, count = tonumber(ARGV[index + 2]), tonumber(ARGV[index + 3])
  local parts, at = read(key, amount, time)
  answer[#answer + 1] = parts
  if parts > (amount - count) * window then answer[1] = 0 end
  rates[#rates + 1] = {key, amount, parts + count * window, at}
end
for index = first, #ARGV, 2 do
  local key = prefix .. ARGV[index]
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', time))
  local used = redis.call('ZCARD', key)
  answer[#answer + 1] = used
  if used >= tonumber(ARGV[index + 1]) then answer[1] = 0 end
end
if answer[1] == 1 then
  for _, rate in ipairs(rates) do write(rate[1], rate[2], rate[3], rate[4], time) end
  for index = first, #ARGV, 2 do
    local key = prefix .. ARGV[index]
    redis.call('ZADD', key, string.format('%.0f', time + lease), ARGV[3])
    redis.call('PEXPIRE', key, ARGV[4])
  end
end
return answer`

/**
 * KEYS: the epoch. ARGV: prefix, owner, reservation, epoch, number of rates, (key, amount, window in ms, change of the
 * count) of each, the keys of concurrency limits.
 */
export const SETTLE = `${SHARED}
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[4] then return 0 end
local time = now()
local prefix = ARGV[1] .. ARGV[4] .. ':' .. ARGV[2] .. ':'
local first = 6 + tonumber(ARGV[5]) * 4
for index = 6, first - 1, 4 do
  local key, amount = prefix .. ARGV[index], tonumber(ARGV[index + 1])
  local parts, at = read(key, amount, time)
  parts = parts + tonumber(ARGV[index + 3]) * tonumber(ARGV[index + 2])
  write(key, amount, math.min(parts, ${MAX_LEVEL}), at, time)
end
for index = first, #ARGV do redis.call('ZREM', prefix .. ARGV[index], ARGV[3]) end
return 1`

/** KEYS: the epoch. ARGV: prefix, epoch, lease in ms, (owner and key, reservation) of each place. */
export const RENEW = `${SHARED}
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[2] then return 0 end
local ends = string.format('%.0f', now() + tonumber(ARGV[3]))
for index = 4, #ARGV, 2 do
  local key = ARGV[1] .. ARGV[2] .. ':' .. ARGV[index]
  redis.call('ZADD', key, ends, ARGV[index + 1])
  redis.call('PEXPIRE', key, ARGV[3])
end
return 1`

/** Counts up the epoch at a key. */
export const RESET = `redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ${EPOCH_MS})
return 1`
