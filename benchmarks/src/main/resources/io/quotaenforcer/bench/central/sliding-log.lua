-- A sorted set of the times at which requests were admitted in the last period.
-- KEYS[1] the set; ARGV now and period in microseconds, permits, a name for this request
local now = tonumber(ARGV[1])
local period = tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - period)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], math.ceil(period / 1000))
return 1
